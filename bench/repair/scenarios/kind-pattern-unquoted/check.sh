#!/usr/bin/env bash
set -euo pipefail
[ "$(wc -l < list.txt)" = 3 ]
