#!/usr/bin/env bash
set -eu
mkdir tools; printf '#!/bin/sh\ntouch made\n' | tee gen.sh > tools/gen.sh
