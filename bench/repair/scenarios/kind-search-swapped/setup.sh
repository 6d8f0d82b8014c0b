#!/usr/bin/env bash
set -eu
printf 'name x\nversion 1.2\n' > manifest.txt
