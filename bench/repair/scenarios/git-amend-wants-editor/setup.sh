#!/usr/bin/env bash
set -eu
git init -qb main . && git config user.name Ada && git config user.email ada@example.org
git config core.editor /nonexistent/editor
echo a > a.txt && git add . && git commit -qm 'All files' && echo f > forgotten.txt
