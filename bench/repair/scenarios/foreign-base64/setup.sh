#!/usr/bin/env bash
set -eu
echo hello | base64 > note.b64
