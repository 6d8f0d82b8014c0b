#!/usr/bin/env bash
set -eu
[ -f state/markers/deployed ] && [ -f state/markers/note ]
