#!/usr/bin/env bash
set -eu
[ "$(git show HEAD:price.txt)" = 12 ]
