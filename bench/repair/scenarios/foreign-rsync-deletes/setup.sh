#!/usr/bin/env bash
set -eu
mkdir pages www; echo 1 > pages/index.html; echo mine > www/mine
