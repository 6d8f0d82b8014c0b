#!/usr/bin/env bash
set -eu
printf '#!/bin/bash\necho "release-gate: Permission denied: production is frozen until Monday" >&2\nexit 77\n' > release-gate.sh && chmod +x release-gate.sh
sha256sum release-gate.sh > ../sums
