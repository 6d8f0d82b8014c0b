import { isLanguage, UNKNOWN } from '../shell/index.ts';
import { gitSettings, gitVerb, joined, operands, option, optionValue, optionValues } from './args.ts';
import { changesScripts, packageScripts } from './conventions.ts';
import { mixed, originOf } from './origins.ts';
import { resolvePath } from './paths.ts';
import { isAddress } from './rules/git-settings.ts';
import { report, type ShellScope } from './scope.ts';
import type { Arg, Origin, SimpleCommand, Span } from './types.ts';

/** Keeps what was written to a path, for whatever may run it later; says so where writing it is already too much. */
export function noteWritten(path: string, origin: Origin, scope: ShellScope, span: Span): void {
  scope.written.files.set(resolvePath(path, scope), origin);
  const text = typeof origin === 'object' ? origin.text : origin === 'own' ? '' : null;
  if (changesScripts(path, text)) report(scope, packageScripts, span);
}

/** What is there already, with more behind it. */
export const appended = (path: string, more: Origin, scope: ShellScope): Origin =>
  mixed(originOf(path, scope, scope.written, scope.context.written), more);

const fromIn = (arg: Arg, scope: ShellScope): Origin =>
  originOf(arg.value, scope, scope.written, scope.context.written);

/** What the programs do whose files are not simply something that nobody has seen. */
const doings = new Map<
  string,
  'copies' | 'builds' | 'empties' | 'unpacks' | 'extracts' | 'clones' | 'fetches'
>([
  ...names('copies', 'cp gcp mv gmv install rsync ln scp'),
  ...names('builds', 'gcc g++ cc c++ clang clang++ ld as rustc go javac tsc'),
  ...names(
    'empties',
    'rm grm srm unlink rmdir trash trash-put rimraf mkdir mkfifo mknod touch truncate shred wipe',
  ),
  ...names('unpacks', 'gunzip bunzip2 unxz unzstd gzip bzip2 xz zstd'),
  ...names('extracts', 'tar gtar bsdtar unzip 7z 7za cpio unar'),
  ...names('fetches', 'npm pnpm pip pip3 gem apt apt-get aptitude'),
  ...names('clones', 'git gh hg svn fossil bzr degit tiged'),
]);

function names<T extends string>(doing: T, programs: string): [string, T][] {
  return programs.split(' ').map((program) => [program, doing]);
}

/** Notes what a command puts into the files that it writes, and the folders that it fetches. */
export function noteContent(command: SimpleCommand, files: readonly Arg[], scope: ShellScope): void {
  const doing = doings.get(command.name);
  if (doing === 'copies') {
    noteCopies(command, scope);
    return;
  }
  if (doing === 'clones') noteClone(command, scope);
  if (command.name === 'git' && readdresses(command))
    scope.written.files.set(resolvePath('.git/config', scope), { text: '' });
  if (doing === 'extracts') noteExtracted(command, scope);
  if (doing === 'fetches') noteFetched(command, scope);
  for (const file of files) {
    if (doing === 'empties') scope.written.files.set(resolvePath(file.value, scope), 'own');
    else if (doing === 'unpacks')
      noteWritten(file.value.replace(/\.(?:gz|bz2|xz|zst)$/, ''), fromIn(file, scope), scope, file.span);
    else noteWritten(file.value, contentOf(command, file, doing === 'builds', scope), scope, file.span);
  }
}

/** By program and verb: the endings of the packages that it fetches and leaves here for somebody to unpack. */
const fetchedPackages: readonly (readonly [call: RegExp, endings: readonly string[]])[] = [
  [/^(?:npm|pnpm) (?:-\S+ )*pack (?:-\S+ )*[^\s./-]/, ['.tgz']],
  [/^pip[\d.]* (?:-\S+ )*download /, ['.whl', '.tar.gz', '.zip']],
  [/^gem (?:-\S+ )*fetch /, ['.gem']],
  [/^apt(?:-get|itude)? (?:-\S+ )*(?:download|source) /, ['.deb', '.tar.gz', '.tar.xz']],
];

function noteFetched(command: SimpleCommand, scope: ShellScope): void {
  const call = `${command.name} ${joined(command)}`;
  const endings = fetchedPackages.find(([pattern]) => pattern.test(call))?.[1] ?? [];
  const folder = optionValue(command, '--pack-destination', '-d', '--dest')?.value ?? '.';
  for (const ending of endings)
    scope.written.files.set(resolvePath(`${folder}/${UNKNOWN}${ending}`, scope), 'unseen');
}

/** Says anew where a remote is. */
function readdresses(command: SimpleCommand): boolean {
  const { verb, rest } = gitVerb(command);
  if (verb === 'remote') return /^(?:add|set-url|rename)$/.test(rest[0]?.value ?? '');
  return (
    verb === 'config' && gitSettings(command).some(({ key, stays }) => stays && /^remote\..*url$/i.test(key))
  );
}

function contentOf(command: SimpleCommand, file: Arg, builds: boolean, scope: ShellScope): Origin {
  const { name, stdin } = command;
  if (name === 'tee') {
    const given: Origin = stdin.kind === 'text' ? { text: stdin.text } : 'unseen';
    return option(command, 'a', 'append') ? appended(file.value, given, scope) : given;
  }
  if (/^g?sed$/.test(name)) return appended(file.value, edited(command), scope);
  if (builds)
    return operands(command, '-o')
      .map((arg) => fromIn(arg, scope))
      .reduce(mixed, 'own');
  return 'unseen';
}

/** What a sed script puts in place of other text, where all of it can be read. */
function edited(command: SimpleCommand): Origin {
  const given = optionValues(command, '-e', '--expression');
  const scripts = given.length > 0 ? given : operands(command, '-e -f -l').slice(0, 1);
  if (option(command, 'f', 'file') || scripts.length === 0 || !scripts.every((arg) => arg.literal))
    return 'unseen';
  const put = scripts.flatMap(({ value }) => {
    const replaced = [
      ...value.matchAll(/s([^\w\s\\])(?:(?!\1)[^\\]|\\.){0,500}\1((?:(?!\1)[^\\]|\\.){0,500})\1/g),
    ];
    const inserted = [...value.matchAll(/(?:^|[;\d$/}\s])[aic](?:\\\s*|\s+)(\S[^\n]*)/g)];
    return [...replaced.map((match) => match[2] ?? ''), ...inserted.map((match) => match[1] ?? '')];
  });
  return { text: put.join('\n') };
}

/** A copy is as well known as what it is copied from. One of a folder is a folder. */
function noteCopies(command: SimpleCommand, scope: ShellScope): void {
  const all = operands(command, '-S --suffix -m -o -g --mode --owner --group -e --rsh -t --target-directory');
  const named = optionValue(command, '-t', '--target-directory');
  const to = named ?? all.at(-1);
  if (!to) return;
  for (const from of named ? all : all.slice(0, -1)) {
    const origin = fromIn(from, scope);
    const name = from.value.replace(/\/+$/, '').replace(/^.*[/:]/, '');
    for (const path of [to.value, `${to.value}/${name}`]) {
      noteWritten(path, origin, scope, to.span);
      if (origin === 'unseen' && option(command, 'rRas', 'recursive', 'archive', 'symbolic'))
        addFolder(path, scope);
    }
  }
}

const addFolder = (path: string, scope: ShellScope): void =>
  void scope.written.folders.add(resolvePath(path, scope));

/** What an archive holds that comes from elsewhere. */
function noteExtracted(command: SimpleCommand, scope: ShellScope): void {
  const { name, args, stdin } = command;
  const isTar = /tar$/.test(name);
  if (isTar && !option(command, 'x', 'extract', 'get') && !/^[a-z]*x/.test(args[0]?.value ?? '')) return;
  const words = operands(command, '-C --directory -d -o').filter(({ value }) => /[./]/.test(value));
  const archive = optionValue(command, '-f', '--file') ?? words[0];
  if (stdin.kind === 'pipe' || (archive && fromIn(archive, scope) === 'unseen'))
    addFolder(optionValue(command, '-C', '--directory', '-d')?.value ?? '.', scope);
}

const fetchVerb = /^(?:clone|checkout|co|export)$/;

/** Puts what somebody else has made in place of what is here: a pull from an address, a pull request. */
function bringsOthers(command: SimpleCommand, scope: ShellScope): boolean {
  if (command.name === 'gh') return /^pr (?:checkout|co)(?: |$)/.test(joined(command));
  if (command.name !== 'git') return false;
  const { verb, rest } = gitVerb(command);
  const from = operands({ ...command, args: rest }, '-s -X --strategy --depth -j')[0];
  const fetched = resolvePath('.git/FETCH_HEAD', scope);
  if (verb === 'fetch' && from && isAddress(from, scope)) scope.written.files.set(fetched, 'unseen');
  if (verb === 'pull') return from !== undefined && isAddress(from, scope);
  return (
    from?.value === 'FETCH_HEAD' &&
    [scope.written, scope.context.written].some((one) => one?.files.get(fetched) === 'unseen')
  );
}

/** The folder that a clone makes: the one that is named, or the last part of where it comes from. */
function noteClone(command: SimpleCommand, scope: ShellScope): void {
  if (bringsOthers(command, scope)) {
    addFolder('.', scope);
    return;
  }
  const git = command.name === 'git' ? gitVerb(command) : undefined;
  const verbs = git ? [git.verb] : operands(command).map(({ value }) => value);
  const isClone = git ? git.verb === 'clone' : verbs.some((verb) => fetchVerb.test(verb));
  if (!isClone && !/^(?:degit|tiged)$/.test(command.name)) return;
  const valued =
    '-b --branch -o --origin --depth -c --config -j --jobs --reference --filter --template -u -r';
  const [url, folder] = operands({ ...command, args: git?.rest ?? command.args }, valued).filter(
    ({ value }) => git || !(fetchVerb.test(value) || value === 'repo'),
  );
  const last = url?.value
    .replace(/\/+$/, '')
    .replace(/\/?\.git$/, '')
    .replace(/^.*[/:]/, '');
  const made = folder?.value ?? last;
  if (made) addFolder(made, scope);
}

/** Whether a file is code of another language than the shell's: by who runs it, or by its first line. */
export function languageOf(text: string, runner: string): string | undefined {
  const line = /^#!\s*\S*?([^\s/]+)(?:\s+(?:-\S+\s+)*(\S+))?/.exec(text);
  const named = line?.[1] === 'env' ? line[2] : line?.[1];
  if (named) return isLanguage(named.replace(/[\d.]+$/, '')) || isLanguage(named) ? named : undefined;
  return isLanguage(runner) ? runner : undefined;
}
