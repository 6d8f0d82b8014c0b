#!/usr/bin/env bash
set -eu
echo hello > page.html
