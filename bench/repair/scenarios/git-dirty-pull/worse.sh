#!/usr/bin/env bash
set -eu
grep -q eight a.txt
