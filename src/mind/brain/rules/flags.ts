import { editDistance, isSlip } from '../../../core/plan/nearest.ts';
import type { Simple, WordAt } from '../../../core/shell/index.ts';
import { replaceWords, splice } from '../command/edit.ts';
import { speaks } from './choices.ts';
import type { MendingRule, SeenFailure } from './rule.ts';
import { meant } from './similar.ts';

/** How tools say that they do not know a flag, the flag captured. */
const unknown =
  /(?:unrecogni[sz]ed|unknown|invalid|illegal|no such|unexpected|bad|unsupported) (?:command[- ]line )?(?:option|flag|argument|parameter|switch)s?(?: found)?:?\s*(?:--\s)?[`'"‘]?(-{0,2}[\w][\w-]*(?:=[^\s'"`’]*)?)/i;

/** Long flags of programs that do not list theirs, beyond those that nearly all share. */
const shared = '--help --version --verbose --quiet --recursive --force --all --output --dry-run'.split(' ');
const longFlags: Record<string, string> = {
  git: '--oneline --graph --all --stat --author --since --until --decorate --name-only --name-status --amend --no-edit --message --signoff --set-upstream --tags --prune --rebase --staged --cached --patch --branch --depth --recurse-submodules --bare --quiet --verbose --dry-run --no-ff --squash --continue --abort --interactive --onto --list --show-current --porcelain --short --format --pretty --date --grep --follow --reverse --merges --no-merges --first-parent --max-count --abbrev-commit --numstat --shortstat --word-diff --diff-filter --ignore-all-space --no-pager --allow-empty --include-untracked --track --detach --force-with-lease --hard --soft --mixed',
  ls: '--all --almost-all --human-readable --recursive --reverse --sort --time --color --directory --inode --size --classify --group-directories-first',
  cp: '--archive --recursive --parents --preserve --update --verbose --interactive --no-clobber --symbolic-link --target-directory --no-target-directory',
  mv: '--backup --interactive --no-clobber --target-directory --update --verbose',
  rm: '--interactive --recursive --verbose --dir --one-file-system',
  mkdir: '--parents --mode --verbose',
  grep: '--recursive --ignore-case --invert-match --line-number --count --include --exclude --exclude-dir --files-with-matches --files-without-match --only-matching --extended-regexp --fixed-strings --perl-regexp --word-regexp --max-count --with-filename --no-filename --context --after-context --before-context --quiet --color',
  sort: '--numeric-sort --reverse --unique --key --field-separator --human-numeric-sort --version-sort --ignore-case --general-numeric-sort --stable --output --check --merge',
  tar: '--create --extract --list --file --gzip --bzip2 --xz --verbose --directory --exclude --strip-components --append --update --transform --wildcards --no-same-owner --totals',
  curl: '--request --header --data --data-binary --data-raw --output --silent --show-error --location --fail --include --head --user --form --max-time --connect-timeout --retry --compressed --verbose --remote-name --user-agent --cookie --cookie-jar --proxy --cacert --json --write-out --create-dirs --get',
  wget: '--quiet --output-document --directory-prefix --recursive --continue --no-parent --mirror --tries --timeout --user-agent --header --post-data --content-disposition --spider --no-clobber',
  du: '--human-readable --summarize --max-depth --all --apparent-size --exclude --total --bytes',
  df: '--human-readable --all --inodes --print-type --total --type --portability',
  head: '--lines --bytes --quiet --verbose',
  tail: '--lines --bytes --follow --retry --quiet --pid --sleep-interval',
  chmod: '--recursive --reference --verbose --changes',
  chown: '--recursive --reference --verbose --changes --from --no-dereference',
  rsync:
    '--archive --verbose --compress --delete --exclude --include --progress --dry-run --recursive --rsh --partial --human-readable --update --checksum --links --stats --ignore-existing --bwlimit',
  pip: '--upgrade --requirement --editable --user --target --index-url --extra-index-url --no-cache-dir --no-deps --pre --quiet --verbose --constraint --find-links --no-index --dry-run --progress-bar',
  docker:
    '--detach --interactive --tty --name --volume --publish --env --env-file --network --restart --rm --workdir --user --tag --file --build-arg --platform --memory --cpus --entrypoint --mount --label --no-cache --pull --target --progress --format --filter --all --quiet --follow --tail',
  node: '--watch --test --inspect --inspect-brk --require --import --eval --print --check --env-file --max-old-space-size --enable-source-maps --trace-warnings --no-warnings --experimental-strip-types',
  make: '--directory --file --jobs --keep-going --always-make --dry-run --silent --question --touch --environment-overrides',
  find: '-name -iname -type -size -mtime -mmin -newer -maxdepth -mindepth -path -ipath -regex -iregex -exec -execdir -delete -print -print0 -printf -prune -empty -perm -user -group -atime -ctime -cmin -amin -not -and -or -links -inum -ls -quit -depth -mount -xdev -follow -nouser -nogroup',
};

export const nearestFlag: MendingRule = {
  id: 'nearest-flag',
  about: 'The program does not know a flag; one slip away there is one that it has.',
  async propose(seen) {
    const target = unknownFlag(seen);
    if (target === null) return null;
    const { simple, word } = target;
    const [flag = '', ...value] = word.value.split('=');
    const usage = [...seen.output.matchAll(/--(?:\[no-\])?[a-z][\w-]+/g)]
      .map((match) => match[0].replace('[no-]', ''))
      .filter((found) => found !== flag);
    const help = simple.program === simple.name.value ? await seen.probe.help(simple.program) : null;
    // find and its like write their long words with one hyphen.
    const long = flag.startsWith('--') ? /(?<![\w-])--[a-z][\w-]+/g : /(?<![\w-])-[a-z][\w-]{2,}/g;
    const listed = help?.match(long) ?? [];
    const table = Object.hasOwn(longFlags, simple.program) ? longFlags[simple.program]!.split(' ') : [];
    const own = listed.length > 0 ? listed : table;
    const candidates = [...new Set([...usage, ...own, ...(own.length > 0 ? [] : shared)])];
    const right =
      `-${flag}` !== '-' && candidates.includes(`-${flag}`) ? `-${flag}` : meant(flag, candidates);
    if (right === null) return null;
    if (!isSlip(flag, right) && editDistance(flag, right) > Math.max(1, Math.floor((flag.length - 2) / 4)))
      return null;
    if (/force|no-verify|insecure|delete|no-check/.test(right)) return null;
    // What the shell makes of the value is its own affair.
    const modify = word.literal
      ? replaceWords(seen.tree, [[word, [right, ...value].join('=')]])
      : splice(seen.command, [{ pos: word.pos, end: word.pos + flag.length, text: right }]);
    return {
      modify,
      reasoning: `${simple.program} has no flag \`${flag}\`; \`${right}\` is the nearest that it has.`,
      confidence: usage.includes(right) ? 0.88 : 0.8,
    };
  },
};

function unknownFlag(seen: SeenFailure): { simple: Simple; word: WordAt } | null {
  const named =
    unknown.exec(seen.output)?.[1] ??
    /unknown predicate [`'‘](-[\w-]+)/.exec(seen.output)?.[1] ??
    /option (--?[\w-]+): is unknown/.exec(seen.output)?.[1] ??
    nearRequired(seen);
  if (named === undefined) return null;
  const plain = named.replace(/^-+/, '').split('=')[0]!;
  if (plain.length < 3) return null;
  const found = seen.tree.simples.flatMap((simple) => {
    const word = simple.args.find(
      (arg) =>
        (arg.literal || /^-{1,2}[\w-]+=/.test(arg.text)) &&
        arg.value.startsWith('-') &&
        arg.value.replace(/^-+/, '').split('=')[0] === plain,
    );
    return word !== undefined && speaks(simple, seen.output) ? [{ simple, word }] : [];
  });
  return found.length === 1 ? found[0]! : null;
}

/** A flag that the tool demands, and that stands in the command with a slip. */
function nearRequired(seen: SeenFailure): string | undefined {
  const demanded = /arguments? (?:are|is) required: (--[\w-]+)/.exec(seen.output)?.[1];
  if (demanded === undefined) return undefined;
  const flags = seen.tree.simples.flatMap(({ args }) =>
    args.filter(({ value }) => value.startsWith('--')).map(({ value }) => value.split('=')[0]!),
  );
  return flags.includes(demanded) ? undefined : (meant(demanded, flags) ?? undefined);
}

/** Dashes that a text editor made of two hyphens, or of one. */
export const typographicDash: MendingRule = {
  id: 'typographic-dash',
  about: 'A flag was written with an en or em dash, as text editors make them.',
  propose(seen) {
    const words = seen.tree.simples.flatMap(({ args }) =>
      args.filter((arg) => arg.literal && /^[–—]/.test(arg.text)),
    );
    if (words.length === 0) return null;
    const mended = words.map((word) => {
      const name = word.value.replace(/^[–—]+-?/, '');
      return [word, (name.length > 1 ? '--' : '-') + name] as const;
    });
    return {
      modify: replaceWords(seen.tree, mended),
      reasoning: 'A flag begins with a dash of typography instead of hyphens.',
      confidence: 0.85,
    };
  },
};
