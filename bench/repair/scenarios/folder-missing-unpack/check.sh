#!/usr/bin/env bash
set -eu
[ "$(cat opt/app/v7/bin/run.txt)" = go ]
