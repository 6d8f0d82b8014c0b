#!/usr/bin/env bash
set -eu
[ "$(cat fonts/serif.txt)" = serif ]
