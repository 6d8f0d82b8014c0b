#!/usr/bin/env bash
set -eu
git init -qb main .
git config user.useConfigOnly true
