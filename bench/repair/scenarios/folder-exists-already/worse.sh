#!/usr/bin/env bash
set -eu
[ "$(cat cache/old)" = kept ]
