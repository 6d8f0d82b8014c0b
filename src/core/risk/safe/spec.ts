/**
 * The notation of the tables. A line is `names ; options ; operands`; what is not on it ends the proof.
 *
 *     -abc        letters without a value; they may stand together
 *     -#          the digits, as in `head -20`, and `#` itself
 *     -ab=        letters with a value, joined or as the next word
 *     -ab:        letters with a value that is the next word, never joined
 *     -ab?        letters with a value that is joined or missing
 *     --all       a name without a value; never abbreviated
 *     --width=    a name with a value, behind `=` or as the next word; `--arg==`: with the two next words
 *     --color?    a name with a value behind `=`, or none
 *     -n=num      a value of this kind (kinds.ts); without a kind any text, as long as it is known
 *     !-t         of those marked so, one must be there
 *     -           the word `-` alone
 *     .           options end at the first operand
 *     *           there are no options: every word is an operand
 *
 * Operands are of a kind; `any` where nothing they could be does harm, options of the program included. `2`: at most
 * two, `1+`: at least one, `1-2`: both. Nothing there: no operand.
 * In a `single` table options are whole names behind one dash or two: `-json`, `-state=`.
 */
export interface Spec {
  /** By what is written: `-a`, `--all`; in a `single` table without its dashes. */
  readonly options: ReadonlyMap<string, Taken>;
  /** One of the marked options must be given. */
  readonly needs: boolean;
  readonly single: boolean;
  /** Options end at the first operand. */
  readonly first: boolean;
  readonly raw: boolean;
  /** Options may stand behind operands, whatever the system: with a value of their own it is no operand. */
  readonly permutes: boolean;
  readonly operand: string;
  readonly least: number;
  readonly most: number;
}

/** What an option takes. `maybe`: a value that is joined or missing. */
export interface Taken {
  readonly values: 0 | 1 | 2 | 'maybe';
  readonly kind: string;
  readonly needed: boolean;
  /** Never joined to its letter: what stands there are further letters. */
  readonly apart: boolean;
}

interface TableLine {
  readonly left: string;
  readonly options: string;
  readonly operands: string;
}

/** The lines of a table. One that is indented further than the first goes on with the one before it. */
export function linesOf(table: string): TableLine[] {
  const indent = /^\n*( *)/.exec(table)?.[1] ?? '';
  return table
    .trim()
    .replaceAll(new RegExp(`\n${indent} +`, 'g'), ' ')
    .split('\n')
    .map((line) => {
      const [left = '', options = '', operands = ''] = line.split(';').map((part) => part.trim());
      return { left, options, operands };
    });
}

export function readSpec(options: string, operands: string, single = false, permutes = false): Spec {
  const found = new Map<string, Taken>();
  const words = options.split(/\s+/).filter(Boolean);
  for (const word of words)
    if (word !== '.' && word !== '*')
      for (const [name, taken] of readOption(word, single)) found.set(name, taken);
  const [operand = '', range = ''] = operands.split(/\s+/);
  const [, least, most] = /^(?:(\d+)[-+])?(\d*)$/.exec(range) ?? [];
  return {
    options: found,
    needs: words.some((word) => word.startsWith('!')),
    single,
    first: words.includes('.'),
    raw: words.includes('*'),
    permutes,
    operand,
    least: Number(least ?? 0),
    most: operand === '' ? 0 : most ? Number(most) : Number.POSITIVE_INFINITY,
  };
}

function readOption(word: string, single: boolean): [string, Taken][] {
  const [, mark, name = '', sign, kind = ''] = /^(!?)(-[^=?:]*)(==|=|\?|:)?(\S*)$/.exec(word) ?? [];
  if (name === '') throw new Error(`the table of what is safe cannot be read at ${word}`);
  const values = sign === '==' ? 2 : sign === '=' || sign === ':' ? 1 : sign === '?' ? 'maybe' : 0;
  const taken: Taken = { values, kind, needed: mark === '!', apart: sign === ':' };
  if (single) return [[name.replace(/^-/, ''), taken]];
  if (name.startsWith('--') || name === '-') return [[name, taken]];
  return [...name.slice(1).replace('#', '#0123456789')].map((letter) => [`-${letter}`, taken]);
}
