#!/usr/bin/env bash
set -eu
[ "$(tr '\n' ' ' < book.txt)" = 'one two ' ]
