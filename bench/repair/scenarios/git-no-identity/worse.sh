#!/usr/bin/env bash
set -eu
[ ! -e "$HOME/.gitconfig" ]
