// Usage: npm run build
//
// Compiles src/ to dist/ and builds the web app into dist/web: from there the published package runs.

import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { foldVersion } from '../src/world/store/index.ts';
import { buildWeb } from './build-web.ts';

rmSync('dist', { recursive: true, force: true });
const tsc = ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json'];
const compiled = spawnSync(process.execPath, tsc, { stdio: 'inherit' }).status === 0;
if (compiled) {
  const known = `export const foldVersion = () => ${JSON.stringify(foldVersion())};\n`;
  writeFileSync('dist/world/store/fold-version.js', known);
}
process.exitCode = compiled && buildWeb(resolve('dist/web')) ? 0 : 1;
