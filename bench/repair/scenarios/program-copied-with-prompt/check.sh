#!/usr/bin/env bash
set -eu
[ "$(head -n 1 out/names.txt)" = a ]
