#!/usr/bin/env bash
set -eu
[ "$(cat live/name)" = nine ]
