#!/usr/bin/env bash
set -eu
grep -q hello pages/page.html
