#!/usr/bin/env bash
set -eu
echo level=low > app.ini
