// Loads what scripts/bundle.ts wrote. Plain CommonJS: the loader of ES modules takes as long as a third of a hook's answer.
'use strict';

const { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** @typedef {(id: string) => unknown} Asking */
/** @typedef {(exports: object, require: Asking, __import: Asking, filename: string, dirname: string) => void} Part */

/**
 * Loads a bundle (scripts/as-scripts.ts says what is in its files) and answers with what its main part exports. Parts ask for each
 * other by their names; what is in no file that was read has one of its own, or is where the main file says.
 * @param {string} file
 * @param {string | null} folder where compiled code is kept; null: nowhere
 * @returns {any}
 */
function load(file, folder) {
  const here = dirname(file);
  const { where, ...parts } = compiled(file, folder);
  /** @type {Record<string, object>} */
  const made = {};
  /** @type {Asking} */
  const ask = (id) => {
    if (!id.startsWith('.')) return require(id);
    const name = basename(id);
    if (made[name] !== undefined) return made[name];
    if (parts[name] === undefined)
      Object.assign(parts, compiled(join(here, where[name] ?? join('parts', name)), folder));
    const exports = {};
    made[name] = exports;
    try {
      // As deep as its source is: see scripts/bundle.ts.
      /** @type {Part} */ (parts[name])(exports, ask, (id) => import(id), join(here, name), here);
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
 * what is kept of it; with the time of its last change, for V8 tells two texts of one length apart by nothing. Whatever is wrong
 * with what is kept, the file is compiled as if there were none.
 * @param {string} file
 * @param {string | null} folder
 */
function compiled(file, folder) {
  const source = readFileSync(file, 'latin1');
  if (folder === null) return new Script(source, { filename: file }).runInThisContext();
  const name = `${source.slice(2, source.indexOf('\n'))}-${process.version}-${process.arch}-${Math.trunc(statSync(file).mtimeMs)}`;
  const kept = join(folder, `${basename(dirname(file))}-${name}`);
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
  if (isTime(calls)) keepAtEnd({ kept, calls: Math.min(calls + 1, 255), script });
  return script.runInThisContext();
}

/**
 * The first calls add what they compiled to what is kept, later ones ever more seldom.
 * @param {number} calls
 */
const isTime = (calls) => calls < 4 || process.pid % Math.min(calls, 64) === 0;

/** @typedef {{ kept: string, calls: number, script: Script }} Keeping */
/** @type {Keeping[]} */
const atEnd = [];

/** @param {Keeping} keeping */
function keepAtEnd(keeping) {
  if (atEnd.push(keeping) > 1) return;
  process.on('exit', () => {
    for (const each of atEnd) write(each);
    if (atEnd.some(({ calls }) => calls === 1)) forgetOld(dirname(keeping.kept));
  });
}

/**
 * Where the folder could not be made, nothing is.
 * @param {Keeping} keeping
 */
function write({ kept, calls, script }) {
  try {
    const part = `${kept}.${process.pid}`;
    writeFileSync(part, Buffer.concat([Buffer.of(calls), script.createCachedData()]), { mode: 0o600 });
    renameSync(part, kept);
  } catch {
    // The next call compiles it again.
  }
}

const DAYS = 30;
/** What is kept here, by Node too, of this version and of others. */
const compiledCode = /-[0-9a-f]{32}-v\d|^v\d+\.\d+\.\d+-/;

/**
 * Where something new is kept, a version may have gone: removes what nobody has added to for long. What is still used is made
 * again.
 * @param {string} folder
 */
function forgetOld(folder) {
  const oldest = Date.now() - DAYS * 24 * 60 * 60 * 1000;
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (compiledCode.test(name) && statSync(path).mtimeMs < oldest)
        rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Others remove too; the next one goes on.
  }
}

module.exports = { load };
