#!/usr/bin/env bash
set -eu
test -f app/etc/app/main.conf && test ! -e etc
