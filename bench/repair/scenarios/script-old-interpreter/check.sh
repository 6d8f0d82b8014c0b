#!/usr/bin/env bash
set -euo pipefail
[ "$(cat result.txt)" = '2 items' ]
