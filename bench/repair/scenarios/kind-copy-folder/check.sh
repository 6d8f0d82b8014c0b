#!/usr/bin/env bash
set -eu
diff -r conf conf.bak
