#!/usr/bin/env bash
set -eu
git init -q --bare -b main remote.git
git init -qb main . && echo remote.git >> .git/info/exclude && git config user.name Ada && git config user.email ada@example.org
echo 10 > price && git add . && git commit -qm first
git remote add origin "$PWD/remote.git" && git push -qu origin main
git clone -q remote.git ../elsewhere && cd ../elsewhere && git config user.name B && git config user.email b@example.org
echo 11 > price && git commit -qam theirs && git push -q origin main
cd "$OLDPWD" && echo 12 > price && git commit -qam mine
