import { gitVerb } from './git.ts';
import { operands, optionValues } from './options.ts';
import type { StartedPlace, Words } from './started.ts';

/** Files that a command puts into a folder by names that are not among its words. */
export interface Brought {
  /** Where the names stand: in an archive, in a patch, or as they lie below a folder. */
  readonly as: 'tar' | 'zip' | 'patch' | 'tree' | 'unknown';
  /** The word that names it; absent where it comes by standard input. */
  readonly from?: StartedPlace;
  /** The word that names the folder; absent where it is the one that the command runs in. */
  readonly into?: StartedPlace;
  /** How many folders are taken off in front of each name; null where it is not said, and the program guesses. */
  readonly strip: number | null;
}

const numberAt = (words: Words, { at, skip }: StartedPlace): number => Number((words[at] ?? '').slice(skip));

const stripIn = (words: Words, names: readonly string[], otherwise: number | null): number | null => {
  const [given] = optionValues(words, names);
  return given === undefined ? otherwise : numberAt(words, given);
};

const folderIn = (words: Words, ...names: string[]): Pick<Brought, 'into'> => {
  const into = optionValues(words, names).at(-1);
  return into === undefined ? {} : { into };
};

const place = (at: number): StartedPlace => ({ at, skip: 0 });

function tar(words: Words): Brought[] {
  const first = words[1] ?? '';
  const isOld = /^[A-Za-z]+$/.test(first);
  const letters = words.filter((word, at) => /^-[A-Za-z]/.test(word) || (at === 1 && isOld)).join('');
  if (!/x/.test(letters) && !words.some((word) => /^--(?:ex|ge)/.test(word))) return [];
  const old = isOld && first.includes('f') ? [place(2)] : [];
  const [from] = [...old, ...optionValues(words, ['-f', '--file'])];
  // What it renames, or takes for whole paths, is known to nobody before.
  const isPlain = !words.some((word) => /^(?:--(?:tran|xf|abs)|-[A-Za-z]*P)/.test(word));
  const isFile = from !== undefined && words[from.at]?.slice(from.skip) !== '-';
  return [
    {
      as: isPlain ? 'tar' : 'unknown',
      ...(isFile ? { from } : {}),
      ...folderIn(words, '-C', '--directory', '--cd'),
      strip: stripIn(words, ['--strip-components'], 0),
    },
  ];
}

function unzip(words: Words): Brought[] {
  if (words.some((word) => /^-[a-zA-Z]*[ltpvzZ]/.test(word))) return [];
  const [at] = operands(words, '-d -x -P');
  return [
    { as: 'zip', ...(at === undefined ? {} : { from: place(at) }), ...folderIn(words, '-d'), strip: 0 },
  ];
}

const dry = /^--(?:dry-run|check|stat|numstat|summary)$/;

function patch(words: Words): Brought[] {
  if (words.some((word) => dry.test(word))) return [];
  const [, second] = operands(words, '-p -d -i -o -r -F -B -z -D --strip --directory --input --output');
  const from =
    optionValues(words, ['-i', '--input'])[0] ?? (second === undefined ? undefined : place(second));
  return [
    {
      as: 'patch',
      ...(from === undefined ? {} : { from }),
      ...folderIn(words, '-d', '--directory'),
      strip: stripIn(words, ['-p', '--strip'], null),
    },
  ];
}

function git(words: Words): Brought[] {
  const { verb, at } = gitVerb(words);
  if (!/^(?:apply|am)$/.test(verb)) return [];
  const own = [verb, ...words.slice(at + 1)];
  const only = /^--(?:check|stat|numstat|summary|cached|abort|skip|quit|continue|resolved)$/;
  if (own.some((word) => only.test(word)) && !own.includes('--apply')) return [];
  const files = operands(own, '-p -C --directory --exclude --include').map((one) => place(one + at));
  const shift = (one: StartedPlace): StartedPlace => ({ ...one, at: one.at + at });
  const named = folderIn(own, '--directory').into;
  const common = {
    as: 'patch' as const,
    ...(named === undefined ? folderIn(words.slice(0, at), '-C') : { into: shift(named) }),
    strip: stripIn(own, ['-p'], 1),
  };
  return files.length === 0 ? [common] : files.map((from) => ({ ...common, from }));
}

const copyValued =
  '-S --suffix -m -o -g --mode --owner --group -e --rsh -f --filter --exclude --include -t --target-directory';

/** All that lies below what is copied, moved or linked. */
function trees(words: Words): Brought[] {
  const all = operands(words, copyValued).map(place);
  const named = optionValues(words, ['-t', '--target-directory'])[0];
  const isAlone = words[0] === 'ln' && all.length === 1;
  const into = named ?? (isAlone ? undefined : all.at(-1));
  const sources = named === undefined && !isAlone ? all.slice(0, -1) : all;
  return sources.map((from) => ({
    as: /^[\w.@-]+::?/.test(words[from.at] ?? '') && words[0] === 'rsync' ? 'unknown' : 'tree',
    from,
    ...(into === undefined ? {} : { into }),
    strip: 0,
  }));
}

const unread = (words: Words): Brought[] =>
  /^(?:x|e|-i\w*|--extract)$/.test(words[1] ?? '') || words[0] === 'unar'
    ? [{ as: 'unknown', ...folderIn(words, '-o', '-D', '--directory'), strip: 0 }]
    : [];

const readers: Readonly<Record<string, (words: Words) => Brought[]>> = {
  ...{ tar, gtar: tar, bsdtar: tar, unzip, patch, gpatch: patch, git },
  ...{ cp: trees, gcp: trees, mv: trees, gmv: trees, ln: trees, rsync: trees },
  ...{ '7z': unread, '7za': unread, cpio: unread, unar: unread },
};

/** What a command brings along by names that it does not say. Pure. */
export const broughtBy = (words: Words): Brought[] =>
  Object.hasOwn(readers, words[0] ?? '') ? (readers[words[0] ?? '']?.(words) ?? []) : [];
