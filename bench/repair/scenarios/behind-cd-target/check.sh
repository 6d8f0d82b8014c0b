#!/usr/bin/env bash
set -eu
test -f lib/built && test ! -e wrong
