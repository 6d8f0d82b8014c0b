#!/usr/bin/env bash
set -eu
[ "$(git --git-dir remote.git log -1 --format=%s feature/search)" = Search ]
