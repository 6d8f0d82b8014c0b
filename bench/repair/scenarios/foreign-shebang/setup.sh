#!/usr/bin/env bash
set -eu
printf '#!/opt/local/bin/bash\nwords=(one two)\necho "${words[1]}" > prepared\n' > prepare.sh
chmod +x prepare.sh
