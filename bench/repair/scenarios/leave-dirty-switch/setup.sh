#!/usr/bin/env bash
set -eu
git init -qb main . && git config user.name Ada && git config user.email ada@example.org
echo one > a.txt && git add . && git commit -qm first
git checkout -qb other && echo two > a.txt && git commit -qam two && git checkout -q main
echo 'not yet committed' > a.txt
