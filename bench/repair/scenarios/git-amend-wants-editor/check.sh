#!/usr/bin/env bash
set -eu
[ "$(git log -1 --format=%s)" = 'All files' ] && [ "$(git show HEAD:forgotten.txt)" = f ]
