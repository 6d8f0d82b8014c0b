// Usage: node scripts/build-web.ts [--if-needed]
//
// Builds the web app into web/dist, from which a checkout serves it. With --if-needed only where it is missing or
// older than what it is made of. Several at once wait for one another.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { withLock } from './lock.js';

const root = join(import.meta.dirname, '..');
const sources = [
  'web/{src,public}/**',
  'web/{index.html,package.json,vite.config.ts}',
  'src/core/contract/**',
];

/** Whether web/dist is there and was made after everything that it is made of was last changed. */
export function isBuilt(): boolean {
  const page = join(root, 'web/dist/index.html');
  if (!existsSync(page)) return false;
  const built = statSync(page).mtimeMs;
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return files.every((file) => statSync(join(root, file)).mtimeMs <= built);
}

/** Returns whether it worked; the page of an earlier build stays where it did not. */
export function buildWeb(outDir = 'dist'): boolean {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', outDir];
  // A test's own NODE_ENV would make it a build for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const ran = spawnSync(process.execPath, args, { cwd: join(root, 'web'), stdio: ['ignore', 2, 2], env });
  if (ran.status !== 0) return false;
  packFiles(resolve(join(root, 'web'), outDir));
  return true;
}

/** What is sent compressed is compressed once, here, and not for every browser that asks. */
function packFiles(folder: string): void {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
  for (const name of globSync('**/*.{js,css,html,svg}', { cwd: folder })) {
    const bytes = readFileSync(join(folder, name));
    if (bytes.length < 1024) continue;
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, quality));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** Builds it where that is needed. */
export async function ensureWeb(): Promise<boolean> {
  if (isBuilt()) return true;
  let ok = true;
  await withLock(join(root, '.bootstrap-lock-web'), async () => {
    if (isBuilt()) return;
    process.stderr.write('Building the web app …\n');
    ok = buildWeb();
  });
  return ok;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const ok = process.argv.includes('--if-needed') ? await ensureWeb() : buildWeb();
  process.exitCode = ok ? 0 : 1;
}
