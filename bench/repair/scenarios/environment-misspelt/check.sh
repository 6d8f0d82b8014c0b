#!/usr/bin/env bash
set -eu
[ "$(cat dist-final/app.txt)" = app ]
