// What an agent's hook starts. Plain CommonJS: the loader of ES modules takes as long as a third of the answer.
'use strict';

const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** So many calls, at first, add what they compiled to what is kept; later one in so many. */
const FIRST = 12;

/**
 * Loads a bundle with the code that its last calls compiled. Node's own cache is written before anything has run, so every
 * function would be compiled anew by the call that needs it. The file names what it was made of in its first line, and so does
 * what is kept of it. Whatever is wrong with what is kept, the file is compiled as if there were none.
 * @param {string} file
 * @param {string} folder
 * @returns {{ main(args: readonly string[]): Promise<number> }}
 */
function load(file, folder) {
  const source = readFileSync(file, 'latin1');
  const name = `${source.slice(2, source.indexOf('\n'))}-${process.version}-${process.arch}`;
  const kept = join(folder, `hook-${name}`);
  /** @type {Buffer | null} */
  let before = null;
  try {
    before = readFileSync(kept);
  } catch {
    // The first call, or nobody may read it.
  }
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new Script(wrapped, {
    filename: file,
    ...(before === null ? {} : { cachedData: before.subarray(1) }),
  });
  const calls = before === null || script.cachedDataRejected === true ? 0 : (before[0] ?? 0);
  if (calls < FIRST || process.pid % 64 === 0)
    process.on('exit', () => keep(kept, Math.min(calls + 1, FIRST), script));
  /** @type {{ exports: any }} */
  const made = { exports: {} };
  script.runInThisContext()(made.exports, createRequire(file), made, file, dirname(file));
  return made.exports;
}

/**
 * @param {string} kept
 * @param {number} calls
 * @param {Script} script
 */
function keep(kept, calls, script) {
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    const part = `${kept}.${process.pid}`;
    writeFileSync(part, Buffer.concat([Buffer.of(calls), script.createCachedData()]), { mode: 0o600 });
    renameSync(part, kept);
  } catch {
    // The next call compiles it again.
  }
}

module.exports = { load };
