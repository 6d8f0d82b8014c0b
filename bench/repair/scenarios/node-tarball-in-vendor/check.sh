#!/usr/bin/env bash
set -eu
[ "$(cat chart.txt)" = '###' ]
