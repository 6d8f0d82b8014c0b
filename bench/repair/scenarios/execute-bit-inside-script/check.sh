#!/usr/bin/env bash
set -eu
[ "$(cat out.txt)" = generated ]
