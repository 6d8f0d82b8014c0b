// Usage: npm run build [-- FOLDER]
//
// Bundles src/ into dist/ with the types that other programs see, and builds the web app into dist/web: from there the
// published package runs.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildWeb } from './build-web.ts';
import { bundle } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));
rmSync(dist, { recursive: true, force: true });
await bundle(dist);
const tsc = [
  join(root, 'node_modules/typescript-native/bin/tsc'),
  '-p',
  'tsconfig.build.json',
  '--outDir',
  dist,
];
const typed = spawnSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' }).status === 0;
process.exitCode = typed && buildWeb(join(dist, 'web')) ? 0 : 1;
