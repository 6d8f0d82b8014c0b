#!/usr/bin/env bash
set -eu
grep -q one log.txt
