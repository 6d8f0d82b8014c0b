#!/usr/bin/env bash
set -eu
git --git-dir remote.git ls-tree --name-only main | grep -q mine.txt
git --git-dir remote.git ls-tree --name-only main | grep -q theirs.txt
