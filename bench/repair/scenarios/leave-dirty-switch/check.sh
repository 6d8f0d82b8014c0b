#!/usr/bin/env bash
set -eu
[ "$(cat a.txt)" = 'not yet committed' ] && [ "$(git branch --show-current)" = main ]
