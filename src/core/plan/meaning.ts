/**
 * Whether one word in place of another, however near, would be about something else: another number or version, the
 * opposite, another environment or region. Nobody makes such a change by guess.
 */
export function changesMeaning(from: string, to: string): boolean {
  if (from === to) return false;
  if (numbersIn(from) !== numbersIn(to)) return true;
  const [a, b] = [partsOf(from), partsOf(to)];
  if (isTurned(a.join(''), b.join('')) || isExchanged(a.join(''), b.join(''))) return true;
  if (a.length !== b.length)
    return others(a, b).some(
      (part) => takesBack.has(part) || kinds.get(part)?.some((group) => group < PLACES) === true,
    );
  return a.some((part, at) => part !== b[at] && isOther(part, b[at]!));
}

const numbersIn = (word: string): string => (word.match(/\d+/g) ?? []).join('.');

/** `prodEU-west_2` → prod, eu, west. */
const partsOf = (word: string): string[] =>
  word
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '');

const others = (a: readonly string[], b: readonly string[]): string[] => [
  ...a.filter((part) => !b.includes(part)),
  ...b.filter((part) => !a.includes(part)),
];

/** A word more of these, and what was to be done is undone, or done without asking: `migrate`, `migrate:undo`. */
const takesBack = new Set(
  'undo redo revert rollback back down reset drop delete remove rm destroy purge clean wipe prune clear stop kill disable off cancel abort force hard all fake dry skip'.split(
    ' ',
  ),
);

/** `lock` and `unlock`, `start` and `restart`: the rest of the word is the same, and it is another. */
const turns = /^(?:un|de|dis|re|no|non|in|im|pre|post|anti|off|out|over|under|up|down)$/;

function isTurned(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length > 2 && long.endsWith(short) && turns.test(long.slice(0, long.length - short.length));
}

/** `dropdb` and `dumpdb`: one word of a line stands in a longer one, in place of another. */
const isExchanged = (a: string, b: string): boolean =>
  groups.some((words) =>
    words.some(
      (word) =>
        word.length > 2 &&
        a.includes(word) &&
        words.some((other) => other !== word && a.replace(word, other) === b),
    ),
  );

function isOther(a: string, b: string): boolean {
  if (a.length === 1 && b.length === 1) return true;
  if (isTurned(a, b)) return true;
  const [kind, same] = [kinds.get(a), kinds.get(b)];
  return kind !== undefined && same !== undefined && kind.some((group) => same.includes(group));
}

/** Words of one line are each something else than the others of it. The first lines name where something goes. */
const PLACES = 4;
const groups = [
  'prod production live stage staging stg dev devel development test testing qa uat sandbox demo preview canary',
  'alpha beta rc stable nightly latest edge next current lts',
  'eu us ap sa ca af me cn uk gb de fr in jp au kr br sg ie nl se it es emea apac amer',
  'east west north south central northeast northwest southeast southwest',
  'blue green red black white',
  'up down',
  'drop dump',
  'push pull',
  'start stop restart',
  'enable disable',
  'add remove rm delete del',
  'create delete destroy remove',
  'encrypt decrypt',
  'encode decode',
  'import export',
  'load save unload',
  'open close',
  'on off',
  'true false',
  'yes no',
  'in out',
  'left right',
  'min max',
  'first last',
  'old new',
  'read write',
  'get set put',
  'apply revert destroy',
  'attach detach',
  'allow deny block',
  'upgrade downgrade',
  'commit rollback',
  'backup restore',
  'pack unpack',
  'inner outer',
  'source target',
  'src dst dest',
  'from to',
  'before after',
  'public private',
  'master slave replica',
  'primary secondary standby',
  'local remote',
  'debug release',
  'client server',
  'input output',
  'request response',
  'send receive',
  'show hide',
  'increase decrease',
  'include exclude',
  'front back',
  'frontend backend',
  'head tail',
  'hard soft',
  'merge rebase',
  'user admin root',
  'internal external',
  'ours theirs',
  'asc desc',
  'ro rw',
  'sync async',
  'symmetric asymmetric',
  'full incremental differential',
  'lower upper',
  'low medium high',
  'small medium large',
  'hourly daily weekly monthly yearly',
  'ascending descending',
  'horizontal vertical',
  'rows columns cols',
  'width height',
  'tcp udp',
  'login logout',
  'grant revoke',
  'credit debit',
  'buy sell',
  'deposit withdraw',
  'accept approve reject deny',
  'begin end finish',
  'insert update upsert delete',
  'append prepend',
  'join split',
  'mon tue wed thu fri sat sun',
  'jan feb mar apr may jun jul aug sep oct nov dec',
].map((line) => line.split(' '));

const kinds = new Map<string, number[]>();
for (const [at, words] of groups.entries())
  for (const word of words) kinds.set(word, [...(kinds.get(word) ?? []), at]);
