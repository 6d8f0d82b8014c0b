#!/usr/bin/env bash
set -euo pipefail
[ "$(head -n 1 all.txt)" = 'one two three' ]
[ "$(tail -n 1 all.txt)" = end ]
