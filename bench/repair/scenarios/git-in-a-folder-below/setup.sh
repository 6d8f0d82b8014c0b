#!/usr/bin/env bash
set -eu
git init -qb main project && cd project && git config user.name Ada && git config user.email ada@example.org
git commit -q --allow-empty -m first && git commit -q --allow-empty -m second
