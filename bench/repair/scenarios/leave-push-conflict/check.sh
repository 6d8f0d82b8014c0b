#!/usr/bin/env bash
set -eu
[ "$(git --git-dir remote.git show main:price)" = 11 ] && [ "$(cat price)" = 12 ] && [ -z "$(git status --porcelain)" ]
