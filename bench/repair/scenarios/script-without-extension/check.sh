#!/usr/bin/env bash
set -eu
grep -q Suppe menu.de.txt
