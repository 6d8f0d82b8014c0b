#!/usr/bin/env bash
set -eu
test ! -e package-lock.json
