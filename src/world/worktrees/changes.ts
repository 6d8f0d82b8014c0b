import { commitOf, type Git } from './repository.ts';

export interface Compared {
  branch: string;
  /** The commit that it is compared with. */
  base: string;
}

/** How many commits and files a branch has that its base has not. None where there is no such branch. */
export async function countChanges(
  git: Git,
  { branch, base }: Compared,
): Promise<{ commits: number; files: number; head: string | null }> {
  const tip = await commitOf(git, `refs/heads/${branch}`);
  if (tip === null) return { commits: 0, files: 0, head: null };
  const [commits, names] = await Promise.all([
    git.ask(['rev-list', '--count', `${base}..${tip}`]),
    git.ask(['diff', ...plainly, '--name-only', '-z', `${base}...${tip}`]),
  ]);
  const files = names.split('\0').filter((name) => name !== '').length;
  return { commits: Number(commits), files, head: tip };
}

/** No program of anybody's shows the differences, and submodules are not entered. */
export const plainly = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--submodule=short',
  '--ignore-submodules=dirty',
];
