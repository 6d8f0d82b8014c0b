#!/usr/bin/env bash
set -eu
grep -q two prepared
