#!/usr/bin/env bash
set -eu
[ "$(cat logs/app.log.1)" = x ]
