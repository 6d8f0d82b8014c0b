#!/usr/bin/env bash
set -eu
mkdir www && echo hello > www/notes.txt
