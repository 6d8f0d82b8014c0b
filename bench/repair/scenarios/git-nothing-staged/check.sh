#!/usr/bin/env bash
set -euo pipefail
[ "$(git show HEAD:price.txt)" = 12 ]
