#!/usr/bin/env bash
set -eu
[ "$(cat a.txt)" = 'not yet committed' ] || git stash list | grep -q .
