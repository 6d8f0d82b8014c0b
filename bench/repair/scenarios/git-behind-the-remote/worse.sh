#!/usr/bin/env bash
set -eu
git --git-dir remote.git log --format=%s main | grep -q theirs
