#!/usr/bin/env bash
set -eu
[ "$(cat cache/state)" = warm ]
