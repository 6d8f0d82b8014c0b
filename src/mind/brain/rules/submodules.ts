import { shellWord } from '../../../core/shell/index.ts';
import { missingPaths } from './missing-path.ts';
import type { MendingRule, SeenFailure } from './rule.ts';

export const submoduleAbsent: MendingRule = {
  id: 'git-submodule',
  about: 'What is missing lies in a submodule that has not been fetched yet.',
  async propose(seen) {
    const said = await seen.probe.readText('.gitmodules');
    const listed = [...(said ?? '').matchAll(/^\s*path\s*=\s*(\S+)\s*$/gm)].map(([, path]) => path!);
    if (listed.length === 0 || seen.tree.simples.some(({ program }) => program === 'git')) return null;
    const wanted = listed.filter((path) => isSpokenOf(seen, path));
    const [path] = wanted;
    if (path === undefined || wanted.length > 1) return null;
    // One that holds something has been fetched, or is somebody's work.
    if ((await seen.probe.entries(path))?.length !== 0) return null;
    return {
      steps: [
        { title: `Fetch the submodule ${path}`, command: `git submodule update --init ${shellWord(path)}` },
      ],
      reasoning: `\`${path}\` is a submodule, and empty: nobody has fetched it yet.`,
      confidence: 0.9,
    };
  },
};

/** Something below the folder is missed: as a file, a target of make, a header, or a folder without a project file. */
function isSpokenOf({ output }: SeenFailure, path: string): boolean {
  const named = [
    ...missingPaths(output),
    ...[...output.matchAll(/No rule to make target [`'‘]([^'’\n]+)['’]/g)].map(([, target]) => target!),
    ...[...output.matchAll(/fatal error: ([^\s:]+): No such file/g)].map(([, header]) => header!),
    ...[...output.matchAll(/source directory\s+(\S+)\s+does not contain a CMakeLists/g)].map(([, at]) => at!),
  ];
  return named.some((each) => each === path || each.includes(`${path}/`) || each.endsWith(`/${path}`));
}
