#!/usr/bin/env bash
set -eu
git init -q --bare -b main remote.git
git clone -q remote.git ../elsewhere 2>/dev/null
cd ../elsewhere && git config user.name B && git config user.email b@example.org && git checkout -qb main
printf '1\n2\n3\n4\n5\n6\n7\n8\n' > a.txt && git add . && git commit -qm first && git push -q origin main
cd "$OLDPWD"
git init -qb main . && git config user.name Ada && git config user.email ada@example.org
git remote add origin "$PWD/remote.git" && git pull -q origin main && echo remote.git > .git/info/exclude
cd ../elsewhere && sed -i s/1/one/ a.txt && echo new > new.txt && git add . && git commit -qm second && git push -q origin main
cd "$OLDPWD" && sed -i s/8/eight/ a.txt
