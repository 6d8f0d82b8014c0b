#!/usr/bin/env bash
set -eu
git init -q --bare -b main remote.git
git init -qb main . && echo remote.git >> .git/info/exclude && git config user.name Ada && git config user.email ada@example.org
echo a > a.txt && git add . && git commit -qm first
git remote add origin "$PWD/remote.git" && git push -qu origin main
git clone -q remote.git ../elsewhere && cd ../elsewhere && git config user.name B && git config user.email b@example.org
echo theirs > theirs.txt && git add . && git commit -qm theirs && git push -q origin main
cd "$OLDPWD" && echo mine > mine.txt && git add . && git commit -qm mine
