import { type CommandTree, movesShell, type Simple } from '../../shell/index.ts';

/** Say, set or wait, and do nothing of what a step could be for. */
const idle = new Set(
  'true false : echo printf exit return sleep wait test [ [[ pwd date set unset shopt export declare typeset local readonly alias unalias trap umask ulimit hash type which command let'.split(
    ' ',
  ),
);

export const isIdle = ({ program }: Simple): boolean => idle.has(program) || movesShell(program);

/** The simple commands that a step is for: those that do something, or all of them where none does. */
export function deedsOf({ simples }: CommandTree): readonly Simple[] {
  const doing = simples.filter((simple) => !isIdle(simple) && !isCarrier(simple, simples));
  return doing.length > 0 ? doing : simples;
}

/** `bash -c '…'`: what it runs stands here itself. */
const isCarrier = (simple: Simple, all: readonly Simple[]): boolean =>
  all.some(
    (other) => other !== simple && other.pos > simple.pos && other.end <= simple.end && inside(simple, other),
  );

const inside = ({ args }: Simple, other: Simple): boolean =>
  args.some(({ pos, end, literal }) => literal && other.pos >= pos && other.end <= end);

/** It is all talk: whoever runs it has done nothing. */
export const isAllIdle = ({ simples, broken }: CommandTree): boolean => !broken && simples.every(isIdle);

/** What is done by these cannot be taken back, or is seen by others: their object is nobody's guess. */
const grave =
  /^(?:re)?(?:deploy|destroy|delete|del|drop|merge|push|publish|release|promote|rollback|prune|purge|kill|pkill|killall|terminate|stop|down|scale|apply|rm|rmdir|unlink|shred|truncate|wipe|format|migrate|remove|uninstall|revoke|transfer|send|mail|email|notify|invite|announce|grant|ban|charge|refund|pay|bill|invoice|cancel|restore|reset|rollout|failover|evict|drain|erase|expire|flush|upload)(?:s|ed)?$/;

export const isGrave = (word: string): boolean => grave.test(word);

/** Whether a word names such a deed in one of its parts: `deploy.sh`, `db:drop`. */
export const namesGrave = (word: string): boolean =>
  !word.startsWith('-') &&
  word
    .slice(word.lastIndexOf('/') + 1)
    .split(/[^A-Za-z]+/)
    .some((part) => isGrave(part.toLowerCase()));

/**
 * Flags by which a command goes past what stopped it, or does another thing than it did: they are a person's to give,
 * whichever brain or tool names them.
 */
const pushing =
  /^--(?:force(?:-\S+)?|overwrite|hard|no-verify|insecure|skip|cached|delete(?:-\S+)?|purge|prune)(?:=|$)/;

/** Short ones mean that of these programs only. */
const shortly: Readonly<Record<string, RegExp>> = {
  git: /^-(?:f|D|b|B|c|C)$/,
  docker: /^-f$/,
  podman: /^-f$/,
  brew: /^-f$/,
  npm: /^-f$/,
  gem: /^-f$/,
};

/** Options whose value says whom or where it is about: however near another one is, it is somebody else. */
const names =
  /^--?(?:user(?:name)?|owner|to|recipient|account|customer|client|tenant|org(?:ani[sz]ation)?|cluster|namespace|context|host(?:name)?|server|region|zone|env(?:ironment)?|stage|profile|database|db(?:name)?|bucket|subscription|domain|instance|device|disk|amount|price)$/i;

/** What the corrected command pushes past, or whom else it is about; null where neither. */
export function beyond(before: Simple, after: Simple): string | null {
  const short = Object.hasOwn(shortly, after.program) ? shortly[after.program]! : null;
  const had = before.args.map(({ value }) => value);
  const flag = after.args.find(
    ({ value }, at) =>
      (pushing.test(value) || (short?.test(value) === true && isOption(after, at))) && !had.includes(value),
  );
  if (flag !== undefined) return `With ${flag.value} it goes past what stopped it.`;
  const now = after.args.map(({ value }) => value);
  for (const [at, value] of had.entries()) {
    const [, option = '', own] = /^(--?[\w-]+)=(.*)$/s.exec(value) ?? [];
    if (own !== undefined && names.test(option) && !now.includes(value))
      return `It takes another \`${option}\`.`;
    const previous = had[at - 1] ?? '';
    if (names.test(previous) && !value.startsWith('-') && !now.includes(value))
      return `It takes another \`${previous}\` than \`${value}\`.`;
  }
  return null;
}

/** git's own options, such as `-c name=value`, stand before its verb. */
const isOption = ({ program, args }: Simple, at: number): boolean =>
  program !== 'git' || args.slice(0, at).some(({ value }) => /^[a-z]/.test(value));
