#!/usr/bin/env bash
set -eu
curl -s "http://127.0.0.1:@PORT@/" | grep -q theirs
