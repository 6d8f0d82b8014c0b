#!/usr/bin/env bash
set -euo pipefail
[ "$(tr '\n' ' ' < colours.txt)" = 'blue green red ' ]
