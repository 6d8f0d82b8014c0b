#!/usr/bin/env bash
set -eu
[ "$(cat style.txt)" = clean ]
