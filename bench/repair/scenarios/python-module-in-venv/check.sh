#!/usr/bin/env bash
set -eu
[ "$(cat calendar.txt)" = monday ]
