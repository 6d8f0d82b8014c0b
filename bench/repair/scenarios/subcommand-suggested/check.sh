#!/usr/bin/env bash
set -eu
[ "$(cat published/week.txt)" = text ]
