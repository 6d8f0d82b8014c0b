#!/usr/bin/env bash
set -eu
git init -q --bare -b main remote.git
git init -qb main . && git config user.name Ada && git config user.email ada@example.org
echo remote.git > .gitignore && git add .gitignore && git commit -qm first
git remote add origin "$PWD/remote.git" && git push -q origin main
