#!/usr/bin/env bash
set -euo pipefail
[ "$(cat src/limit.txt)" = 20 ]
[ "$(ls -A | sort | tr '\n' ' ')" = 'src vendor.diff ' ]
