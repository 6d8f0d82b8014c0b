import { isSlip } from '../../../core/plan/nearest.ts';
import { replaceWords } from '../command/edit.ts';
import { compilers } from './compile.ts';
import type { MendingRule, SeenFailure } from './rule.ts';
import { meant } from './similar.ts';

export const misspeltLibrary: MendingRule = {
  id: 'link-library-misspelt',
  about: 'The linker does not find a library that is one slip away from one that is installed.',
  async propose(seen) {
    const name = /cannot find -l([\w.+-]+)|unable to find library -l([\w.+-]+)/
      .exec(seen.output)
      ?.slice(1)
      .find(Boolean);
    if (name === undefined) return null;
    const words = seen.tree.simples.flatMap(({ program, args }) =>
      compilers.test(program) ? args.filter(({ value, literal }) => literal && value === `-l${name}`) : [],
    );
    const right =
      words.length === 1
        ? meant(
            name,
            (await installed(seen)).filter((each) => isSlip(name, each)),
          )
        : null;
    if (right === null) return null;
    return {
      modify: replaceWords(seen.tree, [[words[0]!, `-l${right}`]]),
      reasoning: `There is no library \`${name}\`; \`${right}\` is one slip away.`,
      confidence: 0.85,
    };
  },
};

/** Names of the libraries that a linker finds: where the command tells it to look, and where it looks by itself. */
async function installed({ tree, probe }: SeenFailure): Promise<string[]> {
  const told = tree.simples.flatMap(({ args }) =>
    args.filter(({ value }) => /^-L./.test(value)).map(({ value }) => value.slice(2)),
  );
  const triples = ((await probe.entries('/usr/lib')) ?? []).filter((name) => /-linux-\w+$/.test(name));
  const folders = [...told, '/usr/local/lib', '/usr/lib', ...triples.map((triple) => `/usr/lib/${triple}`)];
  const names = await Promise.all(folders.map((folder) => probe.entries(folder)));
  return [...new Set(names.flatMap((list) => (list ?? []).flatMap(nameOf)))];
}

const nameOf = (file: string): string[] => {
  const name = /^lib([\w.+-]+?)\.(?:so|a|dylib)$/.exec(file)?.[1];
  return name === undefined ? [] : [name];
};
