#!/usr/bin/env bash
set -eu
echo kept > listing.old; echo 1 > a
