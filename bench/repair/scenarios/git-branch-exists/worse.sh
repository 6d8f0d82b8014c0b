#!/usr/bin/env bash
set -euo pipefail
git log --format=%s release-3 | grep -q first
