#!/usr/bin/env bash
set -eu
test -f mailer.py
