#!/usr/bin/env bash
set -eu
test ! -e published
