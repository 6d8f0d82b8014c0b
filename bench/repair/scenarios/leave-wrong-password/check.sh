#!/usr/bin/env bash
set -eu
[ ! -s report.txt ]
