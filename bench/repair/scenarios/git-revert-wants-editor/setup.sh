#!/usr/bin/env bash
set -euo pipefail
git init -qb main . && git config user.name Ada && git config user.email ada@example.org
git config core.editor /nonexistent/editor
echo good > a.txt && git add . && git commit -qm good && echo bad > a.txt && git commit -qam bad
