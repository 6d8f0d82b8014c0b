// Usage: node scripts/bootstrap.js SCRIPT [ARGS…]
//
// Makes a fresh clone ready and runs SCRIPT under Node 24 or newer. This file itself runs on Node 18: it is
// plain JavaScript and imports nothing that has to be installed.
//
//   node_modules matches package-lock.json ──────────────────────────▶ run SCRIPT
//   it does not ──▶ take the lock ──▶ look again ──▶ npm ci ──▶ free ──▶ run SCRIPT
//                       │ somebody else has it: wait until they are done

import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.js';

const NEEDED_NODE = 24;
const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const installedNode = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/** @param {string} file @returns {Record<string, LockEntry>} */
const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {};

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockEntry */

/**
 * Whether what npm last installed is what the lock file asks for. Packages for other platforms are optional
 * and may be missing; npm writes its own record last, so an install that was cut short has none.
 */
function isInstalled() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = packagesOf(record);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    const found = installed[path];
    if (path === '') return true;
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

const isLink = () => lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
function run(command, args, env = process.env) {
  return new Promise((resolve) => {
    const shell = command.endsWith('.cmd');
    const child = spawn(command, args, { stdio: 'inherit', env, shell });
    // A terminal sends Ctrl-C to the child as well: it decides, and we leave when it has left.
    process.on('SIGINT', () => {});
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal));
    }
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

async function install() {
  process.stderr.write('Installing what Planwright needs (npm ci) …\n');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const code = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, ...args])
    : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
  if (code !== 0) fail(`npm ci failed with exit code ${code}.`);
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** The Node that npm installed; our own where that one's install script was not allowed to run. */
function findNode() {
  if (existsSync(installedNode)) return installedNode;
  if (Number.parseInt(process.versions.node, 10) >= NEEDED_NODE) return process.execPath;
  return fail(
    `Planwright needs Node ${NEEDED_NODE}. The npm package "node" brings it by an install script that did not run: ` +
      'allow it (npm config get ignore-scripts) and delete node_modules, or put a newer Node on the PATH.',
  );
}

async function main() {
  const [script, ...args] = process.argv.slice(2);
  if (script === undefined) fail('Usage: node scripts/bootstrap.js SCRIPT [ARGS…]');
  process.chdir(root);
  if (isLink()) {
    // Somebody else's folder: npm ci would empty it.
    if (!isInstalled())
      process.stderr.write('node_modules is a link and out of date: it is used as it is.\n');
  } else if (!isInstalled()) {
    await withLock(join(root, '.bootstrap-lock'), async () => {
      if (!isInstalled()) await install();
    });
  }
  const path = `${join(modules, '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  process.exit(await run(findNode(), [script, ...args], { ...process.env, PATH: path }));
}

main();
