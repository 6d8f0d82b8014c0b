#!/usr/bin/env node
// Parses on every Node that knows ES modules, so that an old one can be told what to do.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_NODE = 24;
const args = process.argv.slice(2);

/** Compiled code is kept in a folder of one's own: in a shared one others could plant theirs. */
function cacheFolder() {
  const { PLANWRIGHT_HOME: home, XDG_CACHE_HOME: cache = '' } = process.env;
  if (home) return join(home, 'cache', 'code');
  return join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'planwright', 'code');
}

/**
 * One after the other: told to make them all, Node tries for ever where none can be made, as below /proc.
 * @param {string} folder
 * @returns {boolean}
 */
function canBeMade(folder) {
  if (existsSync(folder)) return true;
  if (!canBeMade(dirname(folder))) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    return existsSync(folder);
  }
}

/** From source in a checkout; compiled where the package is installed, for Node strips no types there. */
function start() {
  if (canBeMade(cacheFolder())) nodeModule.enableCompileCache(cacheFolder());
  // What an agent's hook waits for has a door of its own, which loads nothing else.
  const isHook = args[0] === 'guard' && args[1] === 'hook';
  const door = isHook ? 'guard' : 'cli';
  const source = new URL(`../src/doors/${door}/main.ts`, import.meta.url);
  const entry =
    isHook && !existsSync(source) ? compiledHook() : import((existsSync(source) ? source : compiled()).href);
  return Promise.resolve(entry)
    .then(({ main }) => main(isHook ? args.slice(2) : args))
    .then((code) => {
      process.exitCode = code;
    });
}

const compiled = () => new URL('../dist/doors/cli/main.js', import.meta.url);

function compiledHook() {
  const { load } = nodeModule.createRequire(import.meta.url)('./hook.cjs');
  return load(fileURLToPath(new URL('../dist/doors/guard/main.cjs', import.meta.url)), cacheFolder());
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
