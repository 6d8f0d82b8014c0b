#!/usr/bin/env node
// Parses on every Node that knows ES modules, so that an old one can be told what to do. Nothing is imported: an import of
// `node:fs` reads all that it offers, and so loads streams and promises, which take a hook as long as its verdict.

const NEEDED_NODE = 24;
const args = process.argv.slice(2);

/** Compiled code is kept in a folder of one's own: in a shared one others could plant theirs. */
function cacheFolder() {
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const { PLANWRIGHT_HOME: home, XDG_CACHE_HOME: cache = '' } = process.env;
  if (home) return join(home, 'cache', 'code');
  const caches = isAbsolute(cache) ? cache : join(process.getBuiltinModule('node:os').homedir(), '.cache');
  return join(caches, 'planwright', 'code');
}

/**
 * One after the other: told to make them all, Node tries for ever where none can be made, as below /proc.
 * @param {string} folder
 * @returns {boolean}
 */
function canBeMade(folder) {
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs');
  if (existsSync(folder)) return true;
  if (!canBeMade(process.getBuiltinModule('node:path').dirname(folder))) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    return existsSync(folder);
  }
}

/**
 * A folder of somebody else, as where root was given another's home, or one that others may write to.
 * @param {string} folder
 */
function isShared(folder) {
  const { uid, mode } = process.getBuiltinModule('node:fs').statSync(folder);
  return process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0);
}

/** From source in a checkout; compiled where the package is installed, for Node strips no types there. */
function start() {
  const { existsSync } = process.getBuiltinModule('node:fs');
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const folder = canBeMade(cacheFolder()) && !isShared(cacheFolder()) ? cacheFolder() : null;
  if (folder !== null) enableCompileCache(folder);
  // What an agent's hook waits for has a door of its own, which loads nothing else.
  const isHook = args[0] === 'guard' && args[1] === 'hook';
  const door = isHook ? 'guard' : 'cli';
  const source = new URL(`../src/doors/${door}/main.ts`, import.meta.url);
  return Promise.resolve(existsSync(source) ? import(source.href) : compiled(door, folder))
    .then(({ main }) => main(isHook ? args.slice(2) : args))
    .then((code) => {
      process.exitCode = code;
    });
}

/**
 * @param {'guard' | 'cli'} door
 * @param {string | null} folder
 */
function compiled(door, folder) {
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const { load } = process.getBuiltinModule('node:module').createRequire(import.meta.url)('./load.cjs');
  return load(fileURLToPath(new URL(`../dist/doors/${door}/main.cjs`, import.meta.url)), folder);
}

if (parseInt(process.versions.node, 10) < NEEDED_NODE) {
  const here = decodeURIComponent(new URL(import.meta.url).pathname);
  process.stderr.write(
    `planwright needs Node ${NEEDED_NODE} or newer (this is ${process.version}); ` +
      `run it with: npx -y -p node@${NEEDED_NODE} node ${here} ${args.join(' ')}`.trimEnd() +
      '\n',
  );
  process.exitCode = 2;
} else if (args.length === 1 && ['--version', '-V', '-v', 'version'].includes(String(args[0]))) {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${manifest.version}\n`);
} else {
  start();
}
