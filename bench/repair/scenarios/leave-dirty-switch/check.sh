#!/usr/bin/env bash
set -euo pipefail
[ "$(cat a.txt)" = 'not yet committed' ] && [ "$(git branch --show-current)" = main ]
