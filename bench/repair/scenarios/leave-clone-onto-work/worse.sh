#!/usr/bin/env bash
set -euo pipefail
[ "$(cat project/draft.txt)" = 'weeks of work' ]
