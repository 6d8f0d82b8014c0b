#!/usr/bin/env bash
set -eu
[ "$(cat result.txt)" = '2 items' ]
