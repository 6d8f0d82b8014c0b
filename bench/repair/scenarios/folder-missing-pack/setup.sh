#!/usr/bin/env bash
set -eu
mkdir notes && echo a > notes/a.md
