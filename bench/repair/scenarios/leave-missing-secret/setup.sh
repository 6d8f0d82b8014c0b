#!/usr/bin/env bash
set -eu
printf 'DEPLOY_TOKEN=changeme\nDEPLOY_REGION=north\n' > .env.example
printf '#!/bin/bash\nset -eu\n: "${DEPLOY_TOKEN:?is not set}"\necho "$DEPLOY_TOKEN" > deployed.txt\n' > deploy.sh && chmod +x deploy.sh
