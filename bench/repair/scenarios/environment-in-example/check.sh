#!/usr/bin/env bash
set -eu
[ "$(cat banner.txt)" = compact ]
