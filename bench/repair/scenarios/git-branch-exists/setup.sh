#!/usr/bin/env bash
set -eu
git init -qb main . && git config user.name Ada && git config user.email ada@example.org
git commit -q --allow-empty -m first && git branch release-3
