#!/usr/bin/env bash
set -eu
[ -e v1/a ] && [ -e v2/a ]
