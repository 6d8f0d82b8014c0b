#!/usr/bin/env bash
set -euo pipefail
git --git-dir ../remote.git log --format=%s main | grep -q theirs
