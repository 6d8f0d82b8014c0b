#!/usr/bin/env bash
set -eu
echo notes > notes.txt
