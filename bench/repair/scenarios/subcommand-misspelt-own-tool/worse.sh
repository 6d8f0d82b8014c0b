#!/usr/bin/env bash
set -eu
[ "$(cat version)" -ge 1 ]
