#!/usr/bin/env bash
set -eu
[ "$(cat lib/index.js)" = ok ]
