#!/usr/bin/env bash
set -eu
[ ! -e dumped ]
