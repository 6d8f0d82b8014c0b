#!/usr/bin/env bash
set -eu
test -f pyproject.toml
