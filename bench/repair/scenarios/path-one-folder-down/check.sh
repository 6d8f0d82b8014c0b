#!/usr/bin/env bash
set -eu
[ "$(head -n 1 metric.csv)" = 2.54 ]
