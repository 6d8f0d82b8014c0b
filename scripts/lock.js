import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Does the work while holding the lock folder. Waits while a living process holds it; takes it from a dead one.
 * The folder comes into being with its owner's pid already inside: renaming onto a folder that is not empty
 * fails, so there is never a lock without an owner.
 *
 * @param {string} path
 * @param {() => Promise<void>} work
 */
export async function withLock(path, work) {
  for (let told = false; !take(path); ) {
    const owner = ownerOf(path);
    if (owner !== null && !isAlive(owner)) {
      breakLock(path, owner);
      continue;
    }
    if (!told && owner !== null) {
      process.stderr.write(`Waiting for process ${owner}, which is installing …\n`);
      told = true;
    }
    await sleep(100);
  }
  const free = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', free);
  try {
    await work();
  } finally {
    process.off('exit', free);
    free();
  }
}

/** @param {string} path */
function take(path) {
  const mine = mkdtempSync(`${path}-`);
  writeFileSync(join(mine, 'pid'), String(process.pid));
  try {
    renameSync(mine, path);
    return true;
  } catch (error) {
    rmSync(mine, { recursive: true, force: true });
    if (HELD.has(codeOf(error))) return false;
    throw error;
  }
}

/** What renaming onto somebody else's folder answers: on Linux, on macOS, on Windows. */
const HELD = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

/** @param {unknown} error @returns {string} */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code ?? '';

/** @param {string} path @returns {number | null} null where the lock has just been given back */
function ownerOf(path) {
  try {
    return Number(readFileSync(join(path, 'pid'), 'utf8'));
  } catch {
    return null;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Moves a dead owner's lock out of the way. Where somebody else has done so first and holds it by now, what was
 * moved is theirs: it is put back.
 *
 * @param {string} path @param {number} dead
 */
function breakLock(path, dead) {
  const aside = `${path}-${process.pid}-old`;
  try {
    renameSync(path, aside);
    if (ownerOf(aside) !== dead) renameSync(aside, path);
    else rmSync(aside, { recursive: true, force: true });
  } catch {
    // Somebody was quicker: look again.
  }
}
