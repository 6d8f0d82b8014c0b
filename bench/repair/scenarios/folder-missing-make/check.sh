#!/usr/bin/env bash
set -eu
[ "$(cat build/manual/index.txt)" = chapter ]
