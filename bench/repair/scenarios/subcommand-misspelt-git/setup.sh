#!/usr/bin/env bash
set -eu
git init -qb main .
git config user.name Ada
git config user.email ada@example.org
mkdir src && echo 'x' > src/x.txt
