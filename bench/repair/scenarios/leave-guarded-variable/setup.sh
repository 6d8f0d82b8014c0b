#!/usr/bin/env bash
set -eu
mkdir v1 v2 && touch v1/a v2/a
