#!/usr/bin/env bash
set -eu
[ "$(cat footer.txt)" = 'All rights, 2026' ]
