#!/usr/bin/env bash
set -eu
[ "$(node app.js)" = '3 cats' ]
