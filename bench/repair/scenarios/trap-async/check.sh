#!/usr/bin/env bash
set -eu
test -f mirror.py
