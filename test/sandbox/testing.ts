import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import type { CommandSpec } from '../../src/world/process/command.ts';
import { probeSandbox, type SandboxGrants, type SandboxPolicy } from '../../src/world/process/index.ts';
import { type Ran, runScript } from '../../src/world/process/testing.ts';

const probe = await probeSandbox();
if (!probe.works) {
  if (process.env['CI'] === 'true') throw new Error(`the sandbox tests need a sandbox: ${probe.why}`);
  process.stderr.write(`The sandbox tests are left out. ${probe.why}\n`);
}

/** Tests that need a real bwrap. Without one their places are not even made. */
export const describeSandbox = (name: string, tests: () => void): void => {
  if (probe.works) describe(name, tests);
  else describe.skip(name, () => test(probe.why, () => {}));
};

export interface Place {
  folder: string;
  workspace: string;
  home: string;
  store: string;
  policy(grants?: SandboxGrants): SandboxPolicy;
  /** Writes a file below the folder, with what leads to it. */
  write(path: string, text?: string): string;
  run(script: string, grants?: SandboxGrants, options?: Partial<CommandSpec>): Promise<Ran>;
}

/** A home, a store and a workspace. Not in /tmp, which is private to every sandbox and would hide them all. */
export function makePlace(): Place {
  const folder = realpathSync(mkdtempSync(join(homedir(), '.planwright-test-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const [workspace, home, store] = [join(folder, 'work'), join(folder, 'home'), join(folder, 'store')];
  for (const path of [workspace, home, store]) mkdirSync(path);
  const policy = (grants: SandboxGrants = {}): SandboxPolicy => ({
    workspace,
    grants,
    home,
    caches: [join(home, '.npm')],
    storeDir: store,
  });
  const write = (path: string, text = ''): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const run: Place['run'] = (script, grants, options = {}) =>
    runScript(script, { sandbox: policy(grants), session: { cwd: workspace, env: {} }, ...options });
  return { folder, workspace, home, store, policy, write, run };
}

/** A Node that is there inside too: of a checkout in the temporary folder, nothing is. */
export const nodeInside: string =
  [process.execPath, ...(process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'node'))].find(
    (file) => existsSync(file) && !realpathSync(file).startsWith(`${realpathSync(tmpdir())}/`),
  ) ?? process.execPath;
