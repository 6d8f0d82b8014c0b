#!/usr/bin/env bash
set -euo pipefail
[ "$(cat a.txt)" = 'not yet committed' ] || git stash list | grep -q .
