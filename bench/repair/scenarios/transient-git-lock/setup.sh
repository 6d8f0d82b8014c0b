#!/usr/bin/env bash
set -eu
git init -qb main . && git config user.name Ada && git config user.email ada@example.org
echo 1 > a.txt && git add . && git commit -qm first
touch .git/index.lock
( until grep -q 2 a.txt; do sleep 0.1; done; sleep 3; rm -f .git/index.lock ) >/dev/null 2>&1 &
echo $! >> "$PIDS"
