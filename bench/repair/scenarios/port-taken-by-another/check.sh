#!/usr/bin/env bash
set -eu
grep -q mine fetched.html
