#!/usr/bin/env bash
set -eu
cmp assets/app.css dist/static/app.css && cmp assets/logo.svg dist/static/logo.svg
