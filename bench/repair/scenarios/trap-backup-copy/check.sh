#!/usr/bin/env bash
set -eu
test -f backup/settings.ini
