#!/usr/bin/env bash
set -euo pipefail
[ "$(git log -1 --format=%s)" = 'Fix the rounding of prices' ]
