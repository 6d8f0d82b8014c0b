#!/usr/bin/env bash
set -eu
openssl rsa -in certs/test/server.key -check -noout
