#!/usr/bin/env bash
set -eu
test -f keys.env
