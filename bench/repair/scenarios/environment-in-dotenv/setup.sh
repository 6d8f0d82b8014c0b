#!/usr/bin/env bash
set -eu
printf 'QUEUE_NAME=queue-7\nREGION=north\n' > .env
printf '#!/bin/bash\nset -eu\necho "queue $QUEUE_NAME" > service.conf\n' > configure.sh && chmod +x configure.sh
