import { isBuiltin } from './builtins.ts';
import { findTargets } from './found-names.ts';
import { optionValues } from './options.ts';
import { outputTargets } from './outputs.ts';
import { startsElsewhere } from './starts-of.ts';
import type { Operand, Target } from './target.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const removers = set('rm grm srm unlink rmdir trash trash-put rimraf');
const changers = set('chmod chown chgrp chattr setfacl');
const copiers = set('cp gcp install rsync ln scp');
const writers = set(
  'tee touch mkdir truncate shred wipe sponge mkfifo mknod patch crudini vi vim nvim nano pico emacs ed ex gzip gunzip bzip2 xz unxz zstd',
);
const readers = set(
  'cat tac less more head tail wc nl od xxd hexdump strings base64 sort uniq cut diff cmp stat file ls du readlink realpath source . sha256sum md5sum sed awk grep egrep fgrep rg bat tar zip unzip cd pushd',
);
/** They touch more than their words name, or other things: what an archive, a script or a pattern holds. */
const more = set('source . sed tar zip unzip rsync awk patch vi vim nvim nano emacs ed ex eval trap exec');

const others = set('mv gmv dd seq sleep date dirname basename uname whoami id which env printenv jq tr expr');

/** Change the files that they name, where they are told to. */
const edits = /^(?:g?sed|perl)$/;
/** Options that take the next word, by program. */
const valued: Readonly<Record<string, ReadonlySet<string>>> = {
  cp: set('-S --suffix'),
  mv: set('-S --suffix'),
  install: set('-m -o -g -S --mode --owner --group --suffix'),
  rsync: set(
    '-e --rsh -f --filter --exclude --include --files-from --exclude-from -T --temp-dir --info --backup-dir',
  ),
  scp: set('-i -P -F -o -c -l -S -J'),
  sed: set('-e -f -l'),
  gsed: set('-e -f -l'),
  perl: set('-e -f -l'),
  touch: set('-d -t -r --date --reference'),
  truncate: set('-s -r --size --reference'),
  mkdir: set('-m --mode -Z'),
  shred: set('-n -s --iterations --size'),
  chown: set('--from'),
  head: set('-n -c'),
  tail: set('-n -c'),
  cut: set('-d -f -c -b'),
  sort: set('-k -t -S -T'),
  ln: set('-S --suffix'),
};

/** Which words of a command are paths, and what would happen to them. Pure. */
export function targetsOf(name: string, operands: readonly Operand[]): Target[] {
  if (startsElsewhere(name))
    return /^(?:docker|podman|nerdctl)$/.test(name)
      ? outputTargets(name, [name, ...operands.map(({ value }) => value ?? '')])
      : [];
  if (name === 'dd') return ddTargets(operands);
  const words = [name, ...operands.map(({ value }) => value ?? '')];
  if (handsOn(name)) return [...findTargets(operands), ...outputTargets(name, words)];
  const plain = operandsOf(name, operands);
  const option = (short: RegExp, long?: RegExp): boolean => hasOption(operands, short, long);
  if (removers.has(name)) {
    const below = name === 'rimraf' || name.startsWith('trash') || option(/[rR]/, /^--r/);
    return plain.map((index) => ({ index, skip: 0, follow: false, below, writes: true }));
  }
  if (changers.has(name)) {
    const below = option(/R/, /^--rec/);
    const mode = operands.some(({ value }) => value?.startsWith('--reference')) ? 0 : 1;
    return plain
      .slice(mode)
      .map((index) => ({ index, skip: 0, follow: true, below, writes: true, mode: true }));
  }
  if (name === 'mv' || name === 'gmv' || copiers.has(name))
    return [...moveTargets(name, plain, operands), ...(name === 'rsync' ? outputTargets(name, words) : [])];
  if (writers.has(name)) return [...plain.map((index) => written(index)), ...outputTargets(name, words)];
  if (edits.test(name) && option(/i/, /^--in-place/))
    return plain.slice(option(/[ef]$/, /^--expression/) ? 0 : 1).map((index) => written(index));
  const outputs = outputTargets(name, words);
  const named = namedTargets(name, plain, operands);
  return [...named.filter(({ index }) => !outputs.some((one) => one.index === index)), ...outputs];
}

const written = (index: number, skip = 0): Target => ({
  index,
  skip,
  follow: true,
  below: false,
  writes: true,
});

/** All that the program touches are what `targetsOf` finds: none other, and nothing in silence. */
export const touchesKnown = (name: string): boolean =>
  !more.has(name) &&
  (isBuiltin(name) ||
    handsOn(name) ||
    [removers, changers, copiers, writers, readers, others].some((programs) => programs.has(name)));

/** It hands what it finds to what it starts. */
export const handsOn = (name: string): boolean => name === 'find' || name === 'gfind';

/** Words that are no options, by index; after `--` all of them. Unknown words count. */
function operandsOf(name: string, operands: readonly Operand[]): number[] {
  const takes = Object.hasOwn(valued, name) ? valued[name] : undefined;
  const found: number[] = [];
  let options = true;
  for (let i = 0; i < operands.length; i++) {
    const value = operands[i]?.value ?? '';
    if (options && value === '--') options = false;
    else if (options && value.startsWith('-') && value.length > 1) {
      // `chmod -x f`: a mode that looks like an option.
      if (name === 'chmod' && /^-[rwxXst]+$/.test(value)) found.push(i);
      else if (takes?.has(value)) i += 1;
    } else found.push(i);
  }
  return found;
}

function hasOption(operands: readonly Operand[], short: RegExp, long?: RegExp): boolean {
  for (const { value } of operands) {
    if (value === '--') return false;
    if (value?.startsWith('--') ? long?.test(value) : /^-\w/.test(value ?? '') && short.test(value ?? ''))
      return true;
  }
  return false;
}

/** rsync says what it would do: `-n` where no letter before it takes a value, and it is no value itself. */
const triesOnly = (operands: readonly Operand[]): boolean =>
  operands.some(
    ({ value }, i) =>
      /^(?:--dry-run|-[^-efTBM]*n[a-zA-Z]*)$/.test(value ?? '') &&
      !/^(?:-\w*[efTBM]|--(?:rsh|filter|exclude\S*|include\S*|files-from|temp-dir|backup-dir))$/.test(
        operands[i - 1]?.value ?? '',
      ) &&
      !operands.slice(0, i).some((one) => one.value === '--'),
  );

const intoFolder = set('cp gcp mv gmv install ln');

/** Sources and where they go. A move takes all that lies below; a copy, with the option for it. */
function moveTargets(name: string, plain: readonly number[], operands: readonly Operand[]): Target[] {
  if (name === 'rsync' && triesOnly(operands)) return [];
  const moves = name === 'mv' || name === 'gmv';
  const below = moves || hasOption(operands, /[rRa]/, /^--(?:rec|arch)/);
  if (name === 'install' && hasOption(operands, /d/, /^--dir/)) return plain.map((index) => written(index));
  const words = [name, ...operands.map(({ value }) => value ?? '')];
  const abbreviated = words.flatMap((word, at) => {
    const skip = /^--ta[a-z-]*=/.exec(word)?.[0].length;
    return skip === undefined ? [] : [{ at, skip }];
  });
  const into = intoFolder.has(name)
    ? (optionValues(words, ['-t', '--target-directory'])[0] ?? abbreviated[0])
    : undefined;
  const last = into ? into.at - 1 : plain.at(-1);
  const sources = plain.filter((index) => index !== last);
  const targets: Target[] = sources.map((index) => {
    return { index, skip: 0, follow: !moves, below, writes: moves };
  });
  if (last !== undefined && sources.length > 0) targets.push(written(last, into?.skip));
  return targets.map((target) =>
    /^[\w.@-]+:/.test(operands[target.index]?.value ?? '') ? { ...target, remote: true } : target,
  );
}

function ddTargets(operands: readonly Operand[]): Target[] {
  return operands.flatMap(({ value }, index) =>
    value?.startsWith('of=') || value?.startsWith('if=')
      ? [{ index, skip: 3, follow: true, below: false, writes: value.startsWith('of=') }]
      : [],
  );
}

/** Of programs that are not known: words that look like paths, and values of options that do. */
function namedTargets(name: string, plain: readonly number[], operands: readonly Operand[]): Target[] {
  const known = new Set(plain);
  return operands.flatMap(({ value, matched }, index) => {
    const text = value ?? '';
    const skip = /^--?[\w-]+=(?=[./~])/.exec(text)?.[0].length ?? 0;
    const isPath = matched || (known.has(index) && readers.has(name)) || looksLikePath(text.slice(skip));
    if (!isPath || (skip === 0 && !known.has(index))) return [];
    return [{ index, skip, follow: true, below: false, writes: false }];
  });
}

const looksLikePath = (value: string): boolean =>
  value.length < 4096 && !/\s|:\/\//.test(value) && (/^(?:\.{0,2}\/|\.)/.test(value) || /\w\/\w/.test(value));
