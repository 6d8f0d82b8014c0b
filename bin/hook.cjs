// What an agent's hook starts. Plain CommonJS: the loader of ES modules takes as long as a third of the answer.
'use strict';

const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** So many calls, at first, add what they compiled to what is kept; later one in so many. */
const FIRST = 12;

/** @typedef {(exports: object, require: (id: string) => unknown, filename: string) => void} Part */

/**
 * Loads a bundle (scripts/bundle.ts says what is in its files) and answers with what its main part exports. Parts ask for each
 * other by their names; what is in no file that was read has one of its own.
 * @param {string} file
 * @param {string} folder where compiled code is kept
 * @returns {any}
 */
function load(file, folder) {
  /** @type {Record<string, Part>} */
  const parts = compiled(file, folder);
  /** @type {Record<string, object>} */
  const made = {};
  /** @type {(id: string) => unknown} */
  const ask = (id) => {
    if (!id.startsWith('.')) return require(id);
    const name = basename(id);
    if (made[name] !== undefined) return made[name];
    const own = join(dirname(file), 'parts', name);
    if (parts[name] === undefined) Object.assign(parts, compiled(own, folder));
    const exports = {};
    made[name] = exports;
    try {
      /** @type {Part} */ (parts[name])(exports, ask, own);
    } catch (error) {
      // Whoever asks again is not given half of it.
      delete made[name];
      throw error;
    }
    return exports;
  };
  return ask(`./${basename(file)}`);
}

/**
 * Runs a file with the code that its last calls compiled. Node's own cache is written before anything has run, so every
 * function would be compiled anew by the call that needs it. The file names what it was made of in its first line, and so does
 * what is kept of it. Whatever is wrong with what is kept, the file is compiled as if there were none.
 * @param {string} file
 * @param {string} folder
 */
function compiled(file, folder) {
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
  const script = new Script(source, {
    filename: file,
    ...(before === null ? {} : { cachedData: before.subarray(1) }),
  });
  const calls = before === null || script.cachedDataRejected === true ? 0 : (before[0] ?? 0);
  if (calls < FIRST || process.pid % 64 === 0)
    process.on('exit', () => keep(kept, Math.min(calls + 1, FIRST), script));
  return script.runInThisContext();
}

/**
 * Where the folder could not be made, nothing is.
 * @param {string} kept
 * @param {number} calls
 * @param {Script} script
 */
function keep(kept, calls, script) {
  try {
    const part = `${kept}.${process.pid}`;
    writeFileSync(part, Buffer.concat([Buffer.of(calls), script.createCachedData()]), { mode: 0o600 });
    renameSync(part, kept);
  } catch {
    // The next call compiles it again.
  }
}

module.exports = { load };
