#!/usr/bin/env bash
set -eu
[ "$(tr -d ' \n' < count.txt)" = 3 ]
