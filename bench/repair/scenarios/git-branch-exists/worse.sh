#!/usr/bin/env bash
set -eu
git log --format=%s release-3 | grep -q first
