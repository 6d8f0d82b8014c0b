#!/usr/bin/env bash
set -eu
[ "$(cat region.txt)" = north ]
