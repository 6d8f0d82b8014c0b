#!/usr/bin/env bash
set -euo pipefail
[ "$(tr '\n' ' ' < newest.txt)" = '7 8 9 ' ]
