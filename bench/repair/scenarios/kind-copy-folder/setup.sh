#!/usr/bin/env bash
set -eu
mkdir -p conf/sites && echo a > conf/sites/a && echo m > conf/main
