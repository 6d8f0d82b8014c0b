#!/usr/bin/env bash
set -euo pipefail
[ "$(cat in/goods/count.txt)" = 12 ]
