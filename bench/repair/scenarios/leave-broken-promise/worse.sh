#!/usr/bin/env bash
set -eu
[ ! -e published ]
