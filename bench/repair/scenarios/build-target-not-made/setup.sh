#!/usr/bin/env bash
set -eu
printf 'greeter: greeter.in\n\tcp greeter.in greeter && chmod +x greeter\n' > Makefile
printf '#!/bin/sh\necho hello\n' > greeter.in
