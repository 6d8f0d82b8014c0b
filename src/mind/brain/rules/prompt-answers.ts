import { namesGrave } from '../../../core/plan/index.ts';
import { splice } from '../command/edit.ts';
import { grave, question } from './prompts.ts';
import type { MendingRule } from './rule.ts';
import { scriptOf } from './scripts.ts';

/** What a question of a script takes: yes, or Enter where it says what that means. Null for one that wants to be known. */
function answerTo(prompt: string): string | null {
  if (/yes\/no/i.test(prompt)) return 'yes';
  if (/\by\/n\b/i.test(prompt)) return 'y';
  return /\[[^\]\n]+\]\s*:?\s*$|\(default[^)]*\)|press (?:enter|return)/i.test(prompt) ? '' : null;
}

const asks = /(?:^|[;&|\s{])read\s+(?:-|\w)|\binput\(|\.question\(/;

/** What a line asks: by the words of its own, or by those that the line before it prints. */
function promptOf(line: string, before: string): string | null {
  const own =
    /\bread\b[^\n]*?-\w*p\s*(["'])(.*?)\1/.exec(line) ??
    /\binput\(\s*f?(["'])(.*?)\1/.exec(line) ??
    /\.question\(\s*(["'`])(.*?)\1/.exec(line) ??
    /\b(?:echo|printf)\b(?:\s+-n)?\s+(["'])(.*?)\1/.exec(before);
  return own?.[2]?.replace(/\\n$/, '') ?? null;
}

/** Functions of a script that ask what they are given: `ask() { read -p "$1 [y/n] " answer; … }`. */
const asker = /^[ \t]*(?:function[ \t]+)?(\w+)[ \t]*\(\)[ \t]*\{((?:[^{}]|\$\{[^}]*\})*)\}/gm;

/** The questions of a script in their order; null where it asks in a loop, for a secret, or without words. */
function questionsIn(text: string): string[] | null {
  if (/\b(?:while|until|for|select)\b[^\n]*\bread\b|\bread\s+-\w*s|getpass|\bselect\s+\w+\s+in\b/.test(text))
    return null;
  const askers = new Map<string, string | null>();
  for (const [, name, body] of text.matchAll(asker))
    if (asks.test(body!)) askers.set(name!, promptOf(body!.replaceAll('\n', ' '), ''));
  const lines = text.replace(asker, '').split('\n').flatMap(oneByOne);
  const found: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:#|\/\/)/.test(line)) continue;
    const [, called = '', , given = ''] = /(?:^|[\s;&|!])(\w+)\s+(["'])(.*?)\2/.exec(line) ?? [];
    const prompt = askers.has(called)
      ? (askers.get(called)?.replace('$1', given) ?? null)
      : asks.test(line)
        ? promptOf(line, lines[at - 1] ?? '')
        : undefined;
    if (prompt === null) return null;
    if (prompt !== undefined) found.push(prompt);
  }
  return found;
}

/** Several questions of one line, each as a line of its own. */
const oneByOne = (line: string): string[] => line.split(/(?=\brl\.question\()/);

/** Bash says nothing of what it asks where nobody is there. Where nothing but a question comes first, that is why. */
function endsAtQuestion(text: string): boolean {
  const first = text
    .replace(asker, (all, name: string) => (asks.test(all) ? `# ${name}` : ''))
    .split('\n')
    .find((line) => !/^\s*(?:$|#|set\b|export\b|cd\b|\w+=|shopt\b|umask\b)/.test(line));
  const names = [...text.matchAll(asker)].filter(([all]) => asks.test(all)).map(([, name]) => name);
  return (
    first !== undefined && (asks.test(first) || names.some((name) => first.trim().startsWith(`${name} `)))
  );
}

/** `[y/N]`: whoever wrote it wants a yes to be said by somebody. */
const usuallyNo = /\[y\/N\]|\(y\/N\)|\byes\/NO\b/;

const isGraveText = (text: string): boolean => grave.test(text) || text.split(/[^\w.:/-]+/).some(namesGrave);

const unanswered = /EOF when reading a line|\[[^\]\n]+\]\s*:?\s*$/;

export const promptAnswers: MendingRule = {
  id: 'prompt-answers',
  about:
    'A script of the project asks, and takes no flag for that: what it asks with yes or no, or gives an answer for itself, is answered; nothing is lost by it.',
  async propose(seen) {
    const simple = seen.tree.simples.length === 1 ? seen.tree.simples[0]! : null;
    const script = simple === null ? null : scriptOf(simple);
    if (simple === null || script === null || simple.redirects.some(({ operator }) => operator.includes('<')))
      return null;
    const isShown = question.test(seen.output) || unanswered.test(seen.output);
    const isSilent = seen.output.trim() === '' && seen.exitCode === 1;
    if (!isShown && !isSilent) return null;
    const text = await seen.probe.readText(script);
    if (text === null || (isSilent && !endsAtQuestion(text))) return null;
    if ([text, seen.output, seen.command].some(isGraveText)) return null;
    const questions = questionsIn(text) ?? [];
    const answers = questions.map(answerTo);
    if (answers.length === 0 || answers.includes(null)) return null;
    return {
      modify: splice(seen.command, [
        { pos: simple.end, end: simple.end, text: ` <<< $'${answers.join('\\n')}'` },
      ]),
      reasoning: `\`${script}\` asks ${answers.length === 1 ? 'a question' : `${answers.length} questions`}, and says of each what is usual: that is answered.`,
      confidence: 0.7,
      ...(questions.some((asked) => usuallyNo.test(asked))
        ? { doubt: 'Where nobody says anything, it takes that for a no.' }
        : {}),
    };
  },
};
