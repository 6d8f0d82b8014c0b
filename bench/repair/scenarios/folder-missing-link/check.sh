#!/usr/bin/env bash
set -eu
[ "$(cat srv/www/current/VERSION)" = 2 ]
