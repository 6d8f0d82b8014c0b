#!/usr/bin/env bash
set -eu
mkdir -p pages/img; echo 1 > pages/index.html; echo 2 > pages/img/a.svg
