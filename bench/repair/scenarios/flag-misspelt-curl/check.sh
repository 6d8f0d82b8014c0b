#!/usr/bin/env bash
set -eu
cmp copy.html public/index.html
