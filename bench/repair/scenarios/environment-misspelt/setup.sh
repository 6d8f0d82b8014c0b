#!/usr/bin/env bash
set -eu
echo app > app.txt
