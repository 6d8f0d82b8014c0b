#!/usr/bin/env bash
set -eu
[ "$(cat parser.txt)" = p ] && [ "$(git branch --show-current)" = main ]
