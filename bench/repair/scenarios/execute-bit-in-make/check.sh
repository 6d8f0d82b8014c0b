#!/usr/bin/env bash
set -eu
[ "$(ls icons | wc -l)" = 3 ]
