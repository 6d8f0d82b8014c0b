#!/usr/bin/env bash
set -euo pipefail
[ "$(cat parser.txt)" = p ] && [ "$(git branch --show-current)" = main ]
