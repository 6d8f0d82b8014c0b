import type { WordAt } from '../../../core/shell/index.ts';
import { insertAfter, replaceWords, splice } from '../command/edit.ts';
import { type MendingRule, onCommand, operands, type SeenFailure } from './rule.ts';

/** Programs that read one of their words as a text of their own language: what is wrong with that text. */

export const awkBrace: MendingRule = onCommand({
  id: 'awk-brace',
  about: 'A program of awk lacks its last brace.',
  programs: ['awk', 'gawk', 'mawk', 'nawk'],
  says: /missing \} near end of file|unexpected newline or end of string|syntax error at source line \d+\s+context is[\s\S]*missing \}/,
  unless: /^-\w*f/,
  propose({ tree }, simple) {
    const text = simple.args.find(({ value, literal }) => literal && /[{}]/.test(value));
    if (text === undefined || open(text.value) !== 1) return null;
    return {
      modify: replaceWords(tree, [[text, `${text.value.trimEnd()} }`]]),
      reasoning: 'A brace of the program of awk is opened and never closed.',
      confidence: 0.82,
    };
  },
});

/** How many braces are open at the end; -1 where one is closed that was not open, or where quotes or patterns may hold some. */
function open(text: string): number {
  let depth = 0;
  for (const sign of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')) {
    if (sign === '{') depth++;
    else if (sign === '}') depth--;
    if (depth < 0 || sign === '/' || sign === '"') return -1;
  }
  return depth;
}

export const jqKey: MendingRule = onCommand({
  id: 'jq-key',
  about: 'jq takes a key with a hyphen in it for a subtraction; in quotes it is the key.',
  programs: ['jq'],
  says: /jq: error: (\w+)\/0 is not defined/,
  async propose(seen, simple, [, name]) {
    const [text, ...files] = operands(simple);
    if (text === undefined || !text.literal) return null;
    const keys = [...text.value.matchAll(/\.([A-Za-z_]\w*(?:-[A-Za-z_]\w*)+)(?![\w"(])/g)].map(
      ([, key]) => key!,
    );
    const key = keys.find((each) => each.split('-').slice(1).includes(name!));
    if (key === undefined || !(await holds(seen, files, simple.redirects, key))) return null;
    return {
      modify: replaceWords(seen.tree, [[text, text.value.replaceAll(`.${key}`, `."${key}"`)]]),
      reasoning: `\`${key}\` is one key; without quotes jq subtracts.`,
      confidence: 0.88,
    };
  },
});

/** Whether one of the files that are read has such a key. */
async function holds(
  { probe }: SeenFailure,
  files: readonly WordAt[],
  redirects: readonly { operator: string; target: WordAt }[],
  key: string,
): Promise<boolean> {
  const read = [
    ...files,
    ...redirects.filter(({ operator }) => operator === '<').map(({ target }) => target),
  ];
  for (const { value } of read) if ((await probe.readText(value))?.includes(`"${key}"`)) return true;
  return false;
}

export const findEnd: MendingRule = {
  id: 'find-exec-end',
  about: 'The command that find runs has no end; `\\;` is it.',
  propose({ tree, output }) {
    if (!/missing argument to [`'‘]-exec(?:dir)?['’]/.test(output)) return null;
    const run = tree.simples.filter(({ prefixes }) => prefixes.includes('find'));
    const last = run[0]?.args.at(-1);
    if (run.length !== 1 || last === undefined || !run[0]!.args.some(({ value }) => value.includes('{}')))
      return null;
    return {
      modify: insertAfter(tree, last, '\\;'),
      reasoning: 'find does not see where the command that it runs ends.',
      confidence: 0.88,
    };
  },
};

export const testBracket: MendingRule = onCommand({
  id: 'test-bracket',
  about: 'A test has no blank before its closing bracket.',
  programs: ['['],
  says: /\[: missing [`'‘]\]['’]/,
  propose({ tree }, { args }) {
    const last = args.at(-1);
    if (last === undefined || !/[^\]]\]$/.test(last.text)) return null;
    return {
      modify: splice(tree.text, [{ pos: last.end - 1, end: last.end, text: ' ]' }]),
      reasoning: 'The closing bracket of a test is a word of its own.',
      confidence: 0.9,
    };
  },
});
