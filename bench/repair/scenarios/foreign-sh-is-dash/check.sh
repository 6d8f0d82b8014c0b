#!/usr/bin/env bash
set -eu
grep -q 2 counted
