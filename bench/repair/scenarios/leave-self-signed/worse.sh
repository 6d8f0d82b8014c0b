#!/usr/bin/env bash
set -eu
[ ! -s page.txt ]
