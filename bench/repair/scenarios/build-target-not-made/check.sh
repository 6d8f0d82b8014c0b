#!/usr/bin/env bash
set -eu
grep -q hello greeting.txt
