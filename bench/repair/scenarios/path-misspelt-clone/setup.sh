#!/usr/bin/env bash
set -eu
mkdir mirrors && git init -q --bare -b main mirrors/library.git
git clone -q mirrors/library.git w 2>/dev/null
cd w && git config user.name A && git config user.email a@example.org && git checkout -qb main
echo api > api.txt && git add . && git commit -qm 1 && git push -q origin main
cd .. && rm -rf w
