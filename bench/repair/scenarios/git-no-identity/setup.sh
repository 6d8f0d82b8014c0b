#!/usr/bin/env bash
set -euo pipefail
git init -qb main .
git config user.useConfigOnly true
