#!/usr/bin/env bash
set -euo pipefail
[ "$(cat theirs.txt)" = theirs ] && [ "$(cat mine.txt)" = mine ]
