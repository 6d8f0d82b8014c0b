import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { Verdict } from '../../src/core/contract/index.ts';
import {
  type ResolveOptions,
  type ResolvePlace,
  resolveAndJudge,
} from '../../src/world/actions/resolve/index.ts';

export interface World {
  root: string;
  workspace: string;
  home: string;
  place: ResolvePlace;
  /** Makes files, and the folders on the way to them, relative to the workspace. */
  files(...paths: string[]): void;
  judge(command: string, options?: ResolveOptions): Promise<Verdict>;
  /** Paths with the workspace as `.` and the rest of the world as `R`. */
  paths(command: string, options?: ResolveOptions): Promise<string[]>;
}

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A workspace, a home and a store in a folder of their own, which goes away after the test. */
export function makeWorld(env: Record<string, string | null> = {}): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-resolve-')));
  roots.push(root);
  const [workspace, home, storeDir] = [join(root, 'ws'), join(root, 'home'), join(root, 'store')];
  for (const folder of [workspace, home, storeDir]) mkdirSync(folder);
  const place: ResolvePlace = {
    session: { cwd: workspace, env },
    baseEnv: { HOME: home, PATH: '/usr/bin:/bin' },
    workspace,
    home,
    storeDir,
    shell: 'bash',
  };
  const judge: World['judge'] = (command, options) =>
    resolveAndJudge({ kind: 'run-command', command }, place, options);
  return {
    root,
    workspace,
    home,
    place,
    files(...paths) {
      for (const path of paths) {
        mkdirSync(dirname(join(workspace, path)), { recursive: true });
        writeFileSync(join(workspace, path), path);
      }
    },
    judge,
    async paths(command, options) {
      const { paths } = await judge(command, options);
      return paths.map((path) => path.replace(workspace, '.').replace(root, 'R')).sort();
    },
  };
}
