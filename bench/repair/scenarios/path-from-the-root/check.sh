#!/usr/bin/env bash
set -eu
[ "$(cat letter.txt)" = 'Dear Ada' ]
