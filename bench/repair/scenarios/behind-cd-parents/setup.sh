#!/usr/bin/env bash
set -eu
mkdir app; echo 1 > app/main.conf
