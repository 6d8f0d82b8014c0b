#!/usr/bin/env bash
set -euo pipefail
mkdir templates && echo 'Dear NAME' > templates/letter.txt
