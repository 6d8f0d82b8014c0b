#!/usr/bin/env bash
set -eu
git init -qb main old.git && cd old.git && git config user.name B && git config user.email b@example.org
echo old > old.txt && git add . && git commit -qm old
cd "$OLDPWD"
git init -qb main . && echo old.git >> .git/info/exclude && git config user.name Ada && git config user.email ada@example.org
echo new > new.txt && git add . && git commit -qm new
