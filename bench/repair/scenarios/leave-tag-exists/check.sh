#!/usr/bin/env bash
set -eu
[ "$(git log -1 --format=%s v1.0.0)" = first ] && [ ! -e announced ]
