#!/usr/bin/env bash
set -eu
[ "$(git --git-dir remote.git show main:price)" = 11 ] && [ "$(git show main:price)" = 12 ]
