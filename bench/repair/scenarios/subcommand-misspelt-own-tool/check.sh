#!/usr/bin/env bash
set -eu
[ "$(cat version)" = 2 ]
