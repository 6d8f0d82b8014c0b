#!/usr/bin/env bash
set -eu
test -f www/pages/index.html && test -f www/pages/img/a.svg
