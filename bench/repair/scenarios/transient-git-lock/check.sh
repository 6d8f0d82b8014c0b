#!/usr/bin/env bash
set -eu
[ "$(git log -1 --format=%s)" = second ]
