#!/usr/bin/env bash
set -eu
[ "$(cat new.txt)" = new ] && grep -q eight a.txt && grep -q one a.txt
