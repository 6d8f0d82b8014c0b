#!/usr/bin/env bash
set -eu
git init -qb main . && git config user.name Ada && git config user.email ada@example.org
echo a > a.txt && git add . && git commit -qm first
git checkout -qb feature/parser && echo p > parser.txt && git add . && git commit -qm parser
git checkout -q main
