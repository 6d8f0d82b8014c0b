#!/usr/bin/env bash
set -euo pipefail
[ "$(tr '\n' ' ' < book.txt)" = 'one two ' ]
