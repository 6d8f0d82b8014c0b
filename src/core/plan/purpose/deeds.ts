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
  /^(?:re)?(?:deploy|destroy|delete|del|drop|merge|push|publish|release|promote|rollback|prune|purge|kill|pkill|killall|terminate|stop|down|scale|apply|rm|rmdir|unlink|shred|truncate|wipe|format|migrate|remove|uninstall|revoke|transfer|send|mail)(?:s|ed)?$/;

export const isGrave = (word: string): boolean => grave.test(word);

/** Whether a word names such a deed in one of its parts: `deploy.sh`, `db:drop`. */
export const namesGrave = (word: string): boolean =>
  !word.startsWith('-') &&
  word
    .slice(word.lastIndexOf('/') + 1)
    .split(/[^A-Za-z]+/)
    .some((part) => isGrave(part.toLowerCase()));
