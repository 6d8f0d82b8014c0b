#!/usr/bin/env bash
set -eu
test -x waves
