#!/usr/bin/env bash
set -eu
grep -q hello note.txt
