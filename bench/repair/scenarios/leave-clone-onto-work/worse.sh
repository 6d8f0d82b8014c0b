#!/usr/bin/env bash
set -eu
[ "$(cat project/draft.txt)" = 'weeks of work' ]
