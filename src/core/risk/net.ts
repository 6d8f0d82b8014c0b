import { codeCall, isInterpreter, isLanguage, isWrapper, programName, startsOf } from '../shell/index.ts';
import { gitVerb, wordsOf } from './args.ts';
import { destroys, goesOn, isSuspect } from './destructive.ts';
import { copyWritten } from './origins.ts';
import { resolvePath } from './paths.ts';
import { rulesFor } from './rules/index.ts';
import { isOfEnvironment } from './rules/user-wide.ts';
import { takesNoVerb, takesText, takesVerbs } from './rules/verbs.ts';
import { report, type ShellScope } from './scope.ts';
import type { Arg, SimpleCommand, Span } from './types.ts';
import { createFindings } from './verdict.ts';
import { innerCommand } from './wrappers/inner.ts';
import { destructiveWords, pipeToInterpreter, writeThenRun } from './wrappers/shells.ts';

/** Verbs of git whose words are messages, patterns, names and paths. */
const kept =
  /^(?:|add|am|annotate|blame|branch|cat-file|checkout|cherry|cherry-pick|commit|commit-tree|describe|diff|diff-tree|format-patch|grep|interpret-trailers|log|ls-files|ls-tree|merge|mv|name-rev|notes|push|range-diff|reflog|remote|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-ref|stash|status|switch|tag|whatchanged|worktree)$/;

/** They run or apply what they read. */
const reads =
  /^(?:osascript|gdb|lldb|ed|ex|red|vim|nvim|expect|gnuplot|bc|dc|m4|make|psql|mysql|mariadb|sqlite3?|duckdb|clickhouse-client|sqlplus|sqlcmd|cqlsh|mongosh?|redis-cli|kubectl|crontab|at|batch|cmd|nft|iptables-restore|ip6tables-restore|debugfs|fdisk|sfdisk|parted|tclsh|scheme|telnet|ldapmodify|ldapadd|chpasswd|newusers)$/;
const fetches =
  /^(?:curl|wget2?|aria2c|fetch|http|https|xh|lynx|links|w3m|nc|ncat|netcat|socat|ssh|ftp|lftp|gh|aws|gsutil)$/;

/** They keep what they read, or pass it on. */
const keepers =
  /^(?:docker|podman|nerdctl|buildah|gpg|openssl|aws|gsutil|rclone|s3cmd|(?:bsd|g)?tar|ssh|cpio|unzip|gunzip|zcat|gzip|xz|unxz|bzip2|zstd|dd|tidy|pandoc|prettier|ffmpeg|ffplay|mpv|convert|magick)$/;
const isKeeper = (name: string): boolean => keepers.test(name) || takesText(name);

/** How clients of databases hand something to a shell. */
const escapes = /\\[!gow]|\||^\s*\.|\b(?:system|edit|program|shell)\b/i;
const separated = /[\s,;|&!({[`'"%=\\]/;

/** More suspicious words than this are no accident. */
const most = 24;

/**
 * The net under the tables of what programs start: looks at every word, and inside of each, for a command that the
 * rules call dangerous. Nothing that is proven to read, or that only prints, searches or keeps text, comes here.
 */
export function judgeWords(command: SimpleCommand, scope: ShellScope, judge: ShellScope['simple']): void {
  if (scope.netted) return;
  const { name, args } = command;
  for (const { value } of command.env) if (destroys(value.value, scope)) catchIt(scope, value.span);
  if (takesText(name) && !(name === 'git' && !kept.test(gitVerb(command).verb))) return;
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name) && /^(?:test|t|run|run-script)$/.test(args[0]?.value ?? ''))
    return;
  const written = isInterpreter(name) || reads.test(name) ? dangerTold(command, scope) : undefined;
  if (written) report(scope, writeThenRun, written);
  const found = isWrapper(name) ? startsOf(wordsOf(command)) : undefined;
  const free = (at: number): boolean => !found?.started.some(({ from, to }) => from <= at + 1 && at + 1 < to);
  const language = isLanguage(name);
  const coded = language && (codeCall(name, wordsOf(command))?.code.length ?? 0) > 0;
  const sql = !rulesFor(name).some(({ id }) => id === 'sql-destroys');
  if (/\s/.test(command.path) && destroys(command.path, scope)) catchIt(scope, command.span);
  const tool = takesVerbs(name);
  const plain =
    (found !== undefined && name !== 'git') || isInterpreter(name) || !(takesNoVerb(name) || tool);
  const dashes = tool ? args.findIndex(({ value }) => value === '--') : -1;
  // Each is judged with all that follows it.
  let left = args.length > 1_000 ? 2 : most;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg;
    if (!free(at)) continue;
    if (arg.text.includes('<(') && destroys(arg.text, scope, sql)) {
      // What it reads there is printed by what stands in it.
      catchIt(scope, arg.span);
      return;
    }
    if (
      !coded &&
      separated.test(arg.value) &&
      (sql || escapes.test(arg.value)) &&
      destroys(arg.value, scope, sql)
    ) {
      catchIt(scope, arg.span);
      return;
    }
    if (namesProgram(arg.value) && startsDanger(command, handedOver(args, at), scope, judge)) {
      catchIt(scope, arg.span);
      return;
    }
    if (!plain && !(dashes !== -1 && at > dashes) && !(tool && deletesTree(args, at))) continue;
    if (arg.value === '-delete') catchIt(scope, arg.span);
    if (!isSuspect(programName(arg.value)) || !runs(programName(arg.value), args[at + 1], command)) continue;
    if (left-- === 0 || startsDanger(command, args.slice(at), scope, judge)) {
      catchIt(scope, arg.span);
      return;
    }
  }
  const { stdin } = command;
  const scripted =
    reads.test(name) || args.some(({ value }) => /^(?:.*=)?(?:\/dev\/(?:stdin|fd\/0)|-)$/.test(value));
  if (
    stdin.kind === 'pipe' &&
    scripted &&
    (!isKeeper(name) || (takesVerbs(name) && args[0]?.value === 'build')) &&
    stdin.from.some((from) => fetches.test(from.name))
  )
    report(scope, pipeToInterpreter, command.span);
  if (
    stdin.kind === 'text' &&
    !keepers.test(name) &&
    !isInterpreter(name) &&
    destroys(stdin.text, scope, sql)
  )
    catchIt(scope, stdin.span);
}

/** Where it is told of a file that this text has put a destructive command into: by name, as a module, or as its input. */
function dangerTold({ stdin, args, env, span }: SimpleCommand, scope: ShellScope): Span | undefined {
  const { files } = scope.written;
  if (files.size === 0) return undefined;
  const input = stdin.kind === 'file' && stdin.path ? resolvePath(stdin.path, scope) : undefined;
  if (input !== undefined && files.get(input) === 'unseen') return span;
  const cwd = resolvePath('.', scope);
  let left = most;
  for (const [file, origin] of files) {
    if (typeof origin === 'string' || !isDestructive(origin, scope)) continue;
    if (left-- === 0 || input === file) return span;
    const isIn = ({ value }: Arg): boolean => {
      const folder = resolvePath(value, scope);
      return folder !== cwd && file.startsWith(`${folder}/`);
    };
    const isNamed = names(file);
    const told =
      args.find((arg) => isNamed(arg) || isIn(arg)) ?? env.find(({ value }) => isNamed(value))?.value;
    if (told) return told.span;
  }
  return undefined;
}

const destructive = new WeakMap<object, boolean>();
const feedsShell = /\|\s*(?:\S*\/)?(?:ba|da|z|k|a)?sh\b/;

/** Each text is looked at once, however many programs come after it. */
function isDestructive(origin: { readonly text: string }, scope: ShellScope): boolean {
  const known = destructive.get(origin) ?? (destroys(origin.text, scope) || feedsShell.test(origin.text));
  destructive.set(origin, known);
  return known;
}

/** `x.pm` is called `x.pm`, `x`, `-Mx` and `-fx.pm`. */
function names(file: string): (arg: Arg) => boolean {
  const base = file.slice(file.lastIndexOf('/') + 1);
  const either = [base, base.replace(/(?<=.)\.\w+$/, '')].map((name) =>
    name.replace(/[^\w-]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`),
  );
  const pattern = new RegExp(`(?:^|[^\\w]|^-\\w+|\\s-\\w+)(?:${either.join('|')})(?!\\w)`, 'u');
  return ({ value }) => pattern.test(value);
}

/** `-Dexec.executable=rm`: an option whose value is a program that the rules speak about. */
const named = /^-{1,2}[\w.:-]+=/;
const namesProgram = (value: string): boolean =>
  named.test(value) && rulesFor(programName(value.replace(named, '').split(/[\s;]/, 1)[0] ?? '')).length > 0;

/** That program, and what other options hand to it. */
const handedOver = (args: readonly Arg[], at: number): Arg[] =>
  args.slice(at).flatMap((arg) =>
    arg.value
      .replace(named, '')
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map((value) => ({ ...arg, value })),
  );

/** `rm -rf`: nobody means a verb of a tool by that. */
const deletesTree = (args: readonly Arg[], at: number): boolean =>
  args[at]?.value === 'rm' && /^-(?=\w*[rR])(?=\w*f)\w+$/.test(args[at + 1]?.value ?? '');

/** Whether a word among others is where a command begins: something follows it, now or when it runs. */
function runs(name: string, next: Arg | undefined, { open, stdin }: SimpleCommand): boolean {
  if (next) return goesOn(name, next.value);
  return open || (isInterpreter(name) && stdin.kind !== 'none');
}

const catchIt = (scope: ShellScope, span: Span): void => report(scope, destructiveWords, span);

/** Whether these words, as a command of their own, are dangerous. */
function startsDanger(
  outer: SimpleCommand,
  args: readonly Arg[],
  scope: ShellScope,
  judge: ShellScope['simple'],
): boolean {
  const inner = innerCommand(outer, args);
  if (!inner || inner.via.length > 12) return true;
  const findings = createFindings();
  const [written, variables] = [copyWritten(scope.written), new Map(scope.variables)];
  // `.venv/bin/python -m pip` is the pip of that environment.
  const venv = scope.venv || (/^python/.test(outer.name) && isOfEnvironment(outer, scope));
  judge(inner, { ...scope, findings, written, variables, venv, simple: judge, netted: true });
  return findings.verdict().reasons.some(({ level }) => level === 'dangerous' || level === 'blocked');
}
