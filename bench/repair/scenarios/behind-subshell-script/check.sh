#!/usr/bin/env bash
set -eu
test -f tools/made && test -f ok && test ! -x gen.sh
