#!/usr/bin/env bash
set -eu
test -f shown && test -d .venv
