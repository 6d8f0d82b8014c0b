#!/usr/bin/env bash
set -eu
seq 1 5 > visits.log
