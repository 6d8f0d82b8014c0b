import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const FILES = 10_000;

export const git = (cwd: string, ...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', ...args], {
    cwd,
    stdio: 'ignore',
  });
};

/** A repository of so many files in this folder, with one commit on main. */
export function makeRepository(folder: string, files = FILES): void {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < files / 100; n += 1) {
    mkdirSync(join(folder, `src/module${n}`), { recursive: true });
    for (let at = 0; at < 100; at += 1)
      writeFileSync(
        join(folder, `src/module${n}/file${at}.ts`),
        `export const value = ${n * at};\n`.repeat(20),
      );
  }
  git(folder, 'init', '--quiet', '-b', 'main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', 'all');
}

export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
