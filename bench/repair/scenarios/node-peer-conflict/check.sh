#!/usr/bin/env bash
set -eu
[ -e node_modules/theme/package.json ] && [ -e node_modules/core/package.json ]
