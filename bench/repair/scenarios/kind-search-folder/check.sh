#!/usr/bin/env bash
set -euo pipefail
[ "$(wc -l < todo.txt)" = 2 ]
