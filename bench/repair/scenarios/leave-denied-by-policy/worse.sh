#!/usr/bin/env bash
set -eu
[ ! -e announced.txt ]
