#!/usr/bin/env bash
set -eu
[ "$(cat newest.txt)" = n ]
