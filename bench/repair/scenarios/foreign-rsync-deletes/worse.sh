#!/usr/bin/env bash
set -eu
test -f www/mine && test ! -e www/index.html
