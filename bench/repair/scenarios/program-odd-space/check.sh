#!/usr/bin/env bash
set -eu
[ "$(cat first.txt)" = z ]
