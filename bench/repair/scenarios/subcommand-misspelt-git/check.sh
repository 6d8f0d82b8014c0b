#!/usr/bin/env bash
set -euo pipefail
[ "$(git log -1 --format=%s)" = 'First version' ]
git show --stat HEAD | grep -q src/x.txt
