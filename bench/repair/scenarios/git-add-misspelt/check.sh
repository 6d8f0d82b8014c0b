#!/usr/bin/env bash
set -euo pipefail
git show HEAD:CHANGELOG.md | grep -q search
