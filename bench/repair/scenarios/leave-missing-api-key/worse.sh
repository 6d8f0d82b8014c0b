#!/usr/bin/env bash
set -eu
[ ! -s weather.txt ]
