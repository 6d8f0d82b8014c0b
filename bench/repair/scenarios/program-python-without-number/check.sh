#!/usr/bin/env bash
set -eu
grep -q '<li>coffee: 4</li>' prices.html
