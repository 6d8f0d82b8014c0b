#!/usr/bin/env bash
set -eu
[ "$(git log -1 --format=%s)" = 'Fix the rounding of prices' ]
