#!/usr/bin/env bash
set -eu
[ "$(cat frontend/bundle.js | wc -l)" = 2 ]
