#!/usr/bin/env bash
set -eu
grep -q new fetched.html
