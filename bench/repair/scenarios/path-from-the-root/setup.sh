#!/usr/bin/env bash
set -eu
mkdir templates && echo 'Dear NAME' > templates/letter.txt
