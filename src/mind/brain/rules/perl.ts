import { join } from 'node:path/posix';
import { insertAfter } from '../command/edit.ts';
import { hasFlag, type MendingRule, onCommand } from './rule.ts';

/** Where projects keep modules of their own. */
const places = ['lib', 'blib/lib', 'local/lib/perl5'];

export const perlLibrary: MendingRule = onCommand({
  id: 'perl-library',
  about: 'A module of the project lies in its own folder, which Perl is not told of.',
  programs: ['perl', 'prove'],
  says: /Can't locate ([\w/]+\.pm) in @INC/,
  async propose({ probe, tree }, simple, [, module]) {
    const found: string[] = [];
    for (const place of places) if ((await probe.kind(join(place, module!))) === 'file') found.push(place);
    const [folder] = found;
    if (folder === undefined || found.length > 1) return null;
    if (
      hasFlag(simple, `-I${folder}`) ||
      (simple.program === 'prove' && hasFlag(simple, '-l', '--lib', '-b'))
    )
      return null;
    return {
      modify: insertAfter(tree, simple.name, `-I${folder}`),
      reasoning: `\`${module}\` is in \`${folder}\` of the project, where Perl does not look by itself.`,
      confidence: 0.9,
    };
  },
});
