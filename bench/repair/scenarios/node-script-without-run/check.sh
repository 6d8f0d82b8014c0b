#!/usr/bin/env bash
set -eu
[ "$(cat docs.md)" = docs ]
