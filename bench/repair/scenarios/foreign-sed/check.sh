#!/usr/bin/env bash
set -eu
grep -q level=high app.ini
