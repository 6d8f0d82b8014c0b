#!/usr/bin/env bash
set -eu
[ "$(cat app.cfg)" = 'version = 2.4.0' ]
