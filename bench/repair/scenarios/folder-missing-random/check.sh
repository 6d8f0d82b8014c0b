#!/usr/bin/env bash
set -eu
[ "$(wc -c < seeds/first/seed.bin)" = 32 ]
