#!/usr/bin/env bash
set -eu
echo 'service oldname' > unit.txt
