import { type Action, isLoop, rowOf, shellText } from '../../contract/index.ts';
import { forEachChild, parseBash, type Redirection, type SyntaxNode } from '../../shell/index.ts';
import { cloudCommands } from './cloud.ts';
import { developCommands } from './develop.ts';
import { fileCommands } from './files.ts';
import { gitCommands } from './git.ts';
import { systemCommands } from './system.ts';
import { textCommands } from './text.ts';
import type {
  CommandInfo,
  ExplainedCommand,
  ExplainedRedirection,
  ExplainedWord,
  Explanation,
} from './types.ts';

export type { Explanation } from './types.ts';

/** Every command that is known. */
export const knownCommands: Readonly<Record<string, CommandInfo>> = {
  ...fileCommands,
  ...textCommands,
  ...systemCommands,
  ...gitCommands,
  ...developCommands,
  ...cloudCommands,
};
const unknown = 'not known';

/** What an action does, word by word where that is known. Never throws; says "not known" where it is not. */
export function explain(action: Action): Explanation {
  const says = rowOf(action).says(action);
  const inner = isLoop(action) ? explain(action.do) : explainShell(action);
  return { ...inner, summary: [says, inner.summary].filter((part) => part !== '').join(' ') };
}

function explainShell(action: Action): Explanation {
  const text = shellText(action);
  return text === null ? { summary: '', commands: [] } : explainText(text);
}

function explainText(text: string): Explanation {
  const found: ExplainedCommand[] = [];
  const parsed = parseBash(text);
  const { commands = [], errors } = 'script' in parsed ? parsed.script : { errors: [parsed.why] };
  for (const statement of commands) visit(statement.command, 'then', text, found);
  if (errors?.length) return { summary: `Is not valid shell: ${unknown} what it would do.`, commands: found };
  const first = found[0];
  if (first) found[0] = { ...first, joined: 'first' };
  return { summary: summary(found), commands: found };
}

const glue: Readonly<Record<ExplainedCommand['joined'], string>> = {
  first: '',
  then: 'Then: ',
  and: 'If that worked: ',
  or: 'If that failed: ',
  pipe: 'Its output goes to: ',
  inside: 'Inside: ',
};

function summary(found: readonly ExplainedCommand[]): string {
  if (found.length === 0) return 'Runs nothing.';
  const shown = found
    .slice(0, 6)
    .map(
      (command) => `${glue[command.joined]}${command.known ? command.does : `${command.name}: ${unknown}.`}`,
    );
  return shown.join(' ') + (found.length > 6 ? ` And ${found.length - 6} more.` : '');
}

function visit(
  node: SyntaxNode,
  joined: ExplainedCommand['joined'],
  text: string,
  found: ExplainedCommand[],
): void {
  if (found.length > 200) return;
  switch (node.type) {
    case 'Command':
      if (node.name)
        found.push(
          explainCommand(
            node.name.value,
            node.args.map((arg) => arg.text),
            node.redirects,
            joined,
            text.slice(node.pos, node.end),
          ),
        );
      return;
    case 'AndOr':
      node.commands.forEach((command, i) => {
        visit(command, i === 0 ? joined : node.operators[i - 1] === '&&' ? 'and' : 'or', text, found);
      });
      return;
    case 'Pipeline':
      node.commands.forEach((command, i) => {
        visit(command, i === 0 ? joined : 'pipe', text, found);
      });
      return;
    case 'Word':
    case 'Assignment':
    case 'HereDoc':
      return;
    default:
      forEachChild(node, (child) => visit(child, 'inside', text, found));
  }
}

function explainCommand(
  name: string,
  args: readonly string[],
  redirects: readonly Redirection[],
  joined: ExplainedCommand['joined'],
  text: string,
): ExplainedCommand {
  const base = name.slice(name.lastIndexOf('/') + 1);
  let info = Object.hasOwn(knownCommands, base) ? knownCommands[base] : undefined;
  const outer: CommandInfo[] = info ? [info] : [];
  let does = info?.does ?? `${unknown}.`;
  const words: ExplainedWord[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? '';
    if (word.startsWith('-') && word.length > 1) {
      const option = optionMeaning(word, outer);
      const value = option?.takes && !word.includes('=') ? args[i + 1] : undefined;
      words.push({
        text: value === undefined ? word : `${word} ${value}`,
        means: option?.means ?? unknown,
        known: option !== undefined,
      });
      if (value !== undefined) i++;
      if (value === undefined || info?.hands?.includes(word) !== true) continue;
      handOver(args.slice(i + 1), words);
      break;
    }
    const verb = info?.verbs && Object.hasOwn(info.verbs, word) ? info.verbs[word] : undefined;
    if (verb !== undefined) {
      info = typeof verb === 'string' ? { does: verb } : verb;
      outer.unshift(info);
      does = info.does;
      words.push({ text: word, means: info.does, known: true });
    } else if (info?.operands?.endsWith(HANDS_ON)) {
      words.push({ text: word, means: info.operands.slice(0, -HANDS_ON.length), known: true });
      handOver(args.slice(i + 1), words);
      break;
    } else
      words.push({
        text: word,
        means: info?.operands ?? (info && words.length > 0 ? 'what it applies to' : unknown),
        known: info?.operands !== undefined,
      });
  }
  return {
    text,
    name: base,
    does,
    known: outer.length > 0,
    words,
    redirections: redirects.map((redirect) => explainRedirect(redirect)),
    joined,
  };
}

const HANDS_ON = ', then its arguments';

/** What comes after a program or a file that is run is for that one, options too. */
function handOver(args: readonly string[], words: ExplainedWord[]): void {
  if (args.length > 0) words.push({ text: args.join(' '), means: 'its arguments', known: true });
}

/** The meaning of an option: written alone, with `=value`, or as a cluster of letters (`-rf`). */
function optionMeaning(
  word: string,
  infos: readonly CommandInfo[],
): { means: string; takes: boolean } | undefined {
  const name = word.split('=')[0] ?? word;
  const whole = lookUp(name, infos);
  if (whole || name.startsWith('--')) return whole;
  const letters = [...name.slice(1)].map((letter) => lookUp(`-${letter}`, infos));
  if (letters.length > 1 && letters.every((letter) => letter !== undefined)) {
    return {
      means: letters.map((letter) => letter?.means).join('; '),
      takes: letters.at(-1)?.takes ?? false,
    };
  }
  const first = lookUp(name.slice(0, 2), infos);
  return first?.takes ? { means: first.means, takes: false } : undefined;
}

function lookUp(name: string, infos: readonly CommandInfo[]): { means: string; takes: boolean } | undefined {
  for (const info of infos) {
    for (const [written, means] of Object.entries(info.options ?? {})) {
      for (const form of written.split(', ')) {
        const [option, value] = form.split(' ');
        if (option === name) return { means, takes: value !== undefined };
      }
    }
  }
  return undefined;
}

function explainRedirect(redirect: Redirection): ExplainedRedirection {
  const from = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : undefined;
  const stream = from === 2 ? 'Its errors' : 'Its output';
  const is = from === 2 ? 'are' : 'is';
  if (redirect.type === 'HereDoc')
    return { text: redirect.operator, means: 'It reads the lines that follow.' };
  const target = redirect.target?.text ?? '';
  const text = `${from ?? ''}${redirect.operator}${target}`;
  if (redirect.type === 'HereString') return { text, means: 'It reads this text.' };
  switch (redirect.operator) {
    case '<':
      return { text, means: `It reads ${target}.` };
    case '>>':
      return { text, means: `${stream} ${is} added to ${target}.` };
    case '>&':
    case '<&':
      return {
        text,
        means:
          from === 2 && target === '1'
            ? 'Its errors go where its output goes.'
            : `${stream} ${from === 2 ? 'go' : 'goes'} to ${target}.`,
      };
    case '&>':
    case '&>>':
      return { text, means: `Its output and errors go to ${target}.` };
    default:
      return {
        text,
        means:
          target === '/dev/null'
            ? `${stream} ${is} thrown away.`
            : `${stream} ${is} written to ${target}, in place of what it held.`,
      };
  }
}

const joints: Record<Explanation['commands'][number]['joined'], string> = {
  first: '',
  then: 'then ',
  and: 'and if that succeeds ',
  or: 'or else ',
  pipe: 'its output goes to ',
  inside: 'inside, ',
};

/** What a step does, word by word where that is known, for somebody who learns by watching. */
export function explanationLines(action: Action): string[] {
  const { summary, commands } = explain(action);
  const parts = commands.flatMap((command) => [
    `${joints[command.joined]}${command.name}: ${command.known ? command.does : 'not known'}`,
    ...command.words.filter(({ known }) => known).map(({ text, means }) => `  ${text}  ${means}`),
    ...command.redirections.map(({ text, means }) => `  ${text}  ${means}`),
  ]);
  return commands.length > 0 ? [...parts, ''] : [summary, ''];
}
