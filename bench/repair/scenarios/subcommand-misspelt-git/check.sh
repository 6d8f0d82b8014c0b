#!/usr/bin/env bash
set -eu
[ "$(git log -1 --format=%s)" = 'First version' ]
git show --stat HEAD | grep -q src/x.txt
