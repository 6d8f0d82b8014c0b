#!/usr/bin/env bash
set -eu
grep -q 'debug = off' settings.ini
