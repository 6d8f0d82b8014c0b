#!/usr/bin/env bash
set -eu
[ "$(cat result.txt)" = fine ]
