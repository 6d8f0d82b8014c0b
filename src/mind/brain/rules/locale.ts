import { insertBefore, splice } from '../command/edit.ts';
import type { MendingRule } from './rule.ts';

export const asciiOnly: MendingRule = {
  id: 'ascii-locale',
  about:
    'Python was started where letters are ASCII only, and has others to write or read: it is told UTF-8.',
  propose(seen) {
    const found = /UnicodeEncodeError: '(?:ascii|latin-1|charmap)'|UnicodeDecodeError: 'ascii'/.exec(
      seen.output,
    );
    const simples = seen.tree.simples.filter(({ program }) => /^python[\d.]*$/.test(program));
    const [simple] = simples;
    if (found === null || simple === undefined || simples.length > 1) return null;
    const setting = found[0].startsWith('UnicodeEncode') ? 'PYTHONIOENCODING=utf-8' : 'PYTHONUTF8=1';
    const [name] = setting.split('=');
    // Who has chosen an encoding wants that one.
    if (new RegExp(`\\b${name}=`).test(seen.command.slice(simple.pos, simple.end))) return null;
    const isEnv = simple.prefixes.includes('env');
    return {
      modify: isEnv
        ? splice(seen.command, [{ pos: simple.name.pos, end: simple.name.pos, text: `${setting} ` }])
        : insertBefore(seen.tree, simple, setting),
      reasoning: `Where it runs, letters are ASCII only, and it has others; ${setting} lets it have them.`,
      confidence: 0.88,
    };
  },
};
