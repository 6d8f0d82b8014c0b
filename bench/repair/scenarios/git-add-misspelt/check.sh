#!/usr/bin/env bash
set -eu
git show HEAD:CHANGELOG.md | grep -q search
