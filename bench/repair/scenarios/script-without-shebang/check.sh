#!/usr/bin/env bash
set -eu
[ "$(cat summary.txt)" = 4 ]
