// Usage: npm run build
//
// Compiles src/ to dist/, from which the published package runs.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
const tsc = ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json'];
process.exitCode = spawnSync(process.execPath, tsc, { stdio: 'inherit' }).status ?? 1;
