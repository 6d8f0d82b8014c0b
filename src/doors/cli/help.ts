import { fileURLToPath } from 'node:url';
import { type Command, everywhere, type Option } from './command.ts';
import { registry } from './registry.ts';

/** The commands by what they are for, in the order of the help. */
export const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Run', ['run', 'chat', 'resume', 'again', 'fork', 'plan', 'templates', 'demo']],
  ['Look', ['runs', 'show', 'logs', 'diff', 'why', 'cost', 'replay']],
  ['Decide', ['waiting', 'approve', 'deny', 'answer', 'rules', 'trust', 'risk', 'guard']],
  ['Mend', ['skip', 'retry', 'edit', 'hint', 'undo', 'diagnose', 'memory']],
  ['Steer', ['pause', 'cancel', 'mode', 'services']],
  ['Tasks', ['task', 'tasks', 'project']],
  ['Tools', ['mcp', 'acp']],
  ['Fleet', ['worker', 'schedule', 'fleet', 'token', 'migrate']],
  ['House', ['serve', 'models', 'config', 'doctor', 'gc', 'completion']],
];

const examples = [
  ['planwright run README.md --only Install', 'a page, one heading of it'],
  ['planwright run "serve this folder"', 'a goal in words'],
  ['planwright waiting', 'what needs you, in every folder'],
  ['planwright undo --dry-run', 'what taking it back would do'],
] as const;

const environment = [
  ['PLANWRIGHT_HOME', 'one folder for journal and settings, instead of the XDG ones'],
  ['PLANWRIGHT_<SETTING>', 'a setting, such as PLANWRIGHT_ON_ASK=park; planwright config list'],
  ['PLANWRIGHT_DATABASE_URL', 'the journal of a fleet, as --database has it'],
  ['NO_COLOR, FORCE_COLOR', 'colours'],
  ['VISUAL, EDITOR', 'what edits a step'],
  ['CI', 'nobody is asked'],
] as const;

const twoColumns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
};

export function generalHelp(): string {
  const aboutOf = (name: string) => registry.find((entry) => entry.name === name)?.about ?? '';
  const width = Math.max(...registry.map((entry) => entry.name.length));
  const line = (name: string) => `  ${name.padEnd(width)}  ${aboutOf(name)}`;
  return [
    'planwright: plans that a person can read, run for real, and nothing behind your back',
    '',
    'Usage: planwright COMMAND [options]',
    ...groups.flatMap(([title, names]) => ['', title, ...names.map(line)]),
    '',
    'Examples',
    ...twoColumns(examples),
    '',
    'Environment',
    ...twoColumns(environment),
    '',
    'planwright COMMAND --help says more. A missing RUN means one of this folder, or of the nearest above it that has',
    'runs. Of an id the first four characters do.',
    '',
    `More: ${fileURLToPath(new URL('../../../docs/commands.md', import.meta.url))}`,
  ].join('\n');
}

export function commandHelp({ name, about, usage, options, examples: typed = [] }: Command): string {
  const rows = Object.entries({ ...options, ...everywhere }).map(
    ([key, option]) => [flagOf(key, option), option.about] as const,
  );
  return [
    `Usage: planwright ${name} ${usage}`.trimEnd(),
    '',
    `${about}.`,
    '',
    ...twoColumns([...rows, ['-h, --help', 'Print this']]),
    ...(typed.length === 0 ? [] : ['', 'Examples', ...typed.map((line) => `  planwright ${line}`)]),
  ].join('\n');
}

function flagOf(key: string, option: Option): string {
  const value = option.type === 'string' ? ` ${option.value ?? 'VALUE'}` : '';
  return `${option.short ? `-${option.short}, ` : '    '}--${key}${value}`;
}
