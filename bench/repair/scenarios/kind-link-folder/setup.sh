#!/usr/bin/env bash
set -eu
mkdir -p versions/v9 && echo nine > versions/v9/name
