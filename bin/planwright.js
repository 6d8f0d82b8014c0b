#!/usr/bin/env node
// Parses on every Node that knows ES modules, so that an old one can be told what to do.

import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_NODE = 24;
const args = process.argv.slice(2);

/** Compiled code is kept in a folder of one's own: in a shared one others could plant theirs. */
function cacheFolder() {
  const { PLANWRIGHT_HOME: home, XDG_CACHE_HOME: cache = '' } = process.env;
  if (home) return join(home, 'cache', 'code');
  return join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'planwright', 'code');
}

/** From source in a checkout; compiled where the package is installed, for Node strips no types there. */
function start() {
  nodeModule.enableCompileCache(cacheFolder());
  const source = new URL('../src/doors/cli/main.ts', import.meta.url);
  const compiled = new URL('../dist/doors/cli/main.js', import.meta.url);
  return import((existsSync(source) ? source : compiled).href)
    .then((cli) => cli.main(args))
    .then((code) => {
      process.exitCode = code;
    });
}

if (parseInt(process.versions.node, 10) < NEEDED_NODE) {
  process.stderr.write(
    `planwright needs Node ${NEEDED_NODE} or newer (this is ${process.version}); ` +
      `run it with: npx -y -p node@${NEEDED_NODE} node ${fileURLToPath(import.meta.url)} ${args.join(' ')}`.trimEnd() +
      '\n',
  );
  process.exitCode = 2;
} else if (args.length === 1 && ['--version', '-V', '-v', 'version'].includes(String(args[0]))) {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${manifest.version}\n`);
} else {
  start();
}
