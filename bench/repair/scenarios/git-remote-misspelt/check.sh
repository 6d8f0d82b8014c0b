#!/usr/bin/env bash
set -eu
git rev-parse -q --verify origin/main
