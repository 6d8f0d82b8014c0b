// Usage: node scripts/setup-system.js
//
// Sees to the system packages that tests need. As root on Debian it installs what is missing; otherwise it says
// what to install. With CI=true a package that is still missing is a failure, so that no test is left out unseen.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Debian package, the command it brings, and who needs it. One line a package. Those of `ci` are for single cases, which
 * are left out at a desk that does not have them. `or`: what serves as well, only slower, where it cannot be had.
 */
const listed = [
  { name: 'bubblewrap', command: 'bwrap', why: 'the sandbox tests' },
  { name: 'tmux', command: 'tmux', why: 'the terminal tests' },
  {
    name: 'chromium-headless-shell',
    command: 'chromium-headless-shell',
    or: 'chromium',
    why: 'the tests of the web app',
  },
  { name: 'git', command: 'git', why: 'checkpoints, and the examples' },
  { name: 'perl', command: 'perl', why: 'the tests of the spawner, and of the gate' },
  { name: 'make', command: 'make', why: 'the examples' },
  { name: 'curl', command: 'curl', why: 'the examples' },
  { name: 'openssl', command: 'openssl', why: 'the examples' },
  { name: 'python3-venv', command: 'python3', why: 'the examples' },
  { name: 'postgresql', command: 'postgres', why: 'the tests of the store on PostgreSQL' },
  { name: 'wget', command: 'wget', why: 'the tests of the gate', ci: true },
  { name: 'zip', command: 'zip', why: 'the tests of the gate', ci: true },
  { name: 'cmake', command: 'cmake', why: 'the tests of the gate', ci: true },
  { name: 'python3-pytest', command: 'pytest', why: 'the tests of the gate', ci: true },
  { name: 'openssh-client', command: 'scp', why: 'the tests of the gate', ci: true },
  { name: 'util-linux', command: 'taskset', why: 'the tests of the gate', ci: true },
];
const needed = listed.filter(({ ci }) => !ci || process.env.CI === 'true');

/** Debian keeps the versions of a server apart, and off the PATH. */
const servers = '/usr/lib/postgresql';
const foldersOfServers = () =>
  existsSync(servers) ? readdirSync(servers).map((version) => join(servers, version, 'bin')) : [];

/** @param {string} command */
const isThere = (command) =>
  [...(process.env.PATH ?? '').split(delimiter), ...foldersOfServers()].some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const findMissing = () => needed.filter(({ command }) => !isThere(command));

/** @param {string[]} args */
const aptGet = (args) =>
  spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;

/** @param {string[]} names */
function install(names) {
  process.stderr.write(`Installing ${names.join(', ')} (apt-get) …\n`);
  const wanted = ['install', '-y', '--no-install-recommends', ...names];
  // The package lists of a fresh machine may be missing or too old.
  return aptGet(wanted) || (aptGet(['update']) && aptGet(wanted));
}

/** Returns whether the tests may go on. Never throws. */
export function setupSystem() {
  let missing = findMissing();
  if (missing.length > 0 && process.getuid?.() === 0 && isThere('apt-get')) {
    // Apart: where one is not to be had, none of them is installed.
    const [best, plain] = [missing.filter(({ or }) => or), missing.filter(({ or }) => !or)];
    if (plain.length > 0) install(plain.map(({ name }) => name));
    for (const { name, or } of best) install([name]) || isThere(String(or)) || install([String(or)]);
    missing = findMissing();
  }
  missing = missing.filter(({ or }) => or === undefined || !isThere(or));
  for (const { name, command, why } of missing) {
    process.stderr.write(`Missing: ${command}, which ${why} need (Debian package ${name}).\n`);
  }
  if (missing.length > 0) {
    process.stderr.write(`To install: sudo apt-get install ${missing.map(({ name }) => name).join(' ')}\n`);
  }
  return missing.length === 0 || process.env.CI !== 'true';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(setupSystem() ? 0 : 1);
