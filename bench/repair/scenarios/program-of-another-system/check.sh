#!/usr/bin/env bash
set -euo pipefail
[ "$(cat footer.txt)" = 'All rights, 2026' ]
