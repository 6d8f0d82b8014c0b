#!/usr/bin/env bash
set -eu
[ "$(cat lib/api.txt)" = api ]
