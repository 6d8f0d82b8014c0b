#!/usr/bin/env bash
set -eu
[ "$(cat catalogue.txt)" = books ]
