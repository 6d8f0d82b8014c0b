#!/usr/bin/env bash
set -eu
[ "$(cat notes.txt)" = hello ]
