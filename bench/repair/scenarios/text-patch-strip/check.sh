#!/usr/bin/env bash
set -eu
[ "$(cat src/limit.txt)" = 20 ]
[ "$(ls -A | sort | tr '\n' ' ')" = 'src vendor.diff ' ]
