import type { FoundNames, ParsedScript, SyntaxNode } from '../shell/index.ts';
import type { Writing } from './origins.ts';
import type { JudgeContext, RuleInfo, SimpleCommand, Span, Stdin } from './types.ts';
import type { Findings } from './verdict.ts';
import { HOME } from './words.ts';

/** The state of one shell while its text is read from left to right. */
export interface ShellScope {
  readonly context: JudgeContext;
  readonly findings: Findings;
  readonly depth: number;
  /** Wrappers around this text, outermost first. */
  readonly via: readonly string[];
  /** Literal values of variables set so far; undefined where set to something unknown. */
  readonly variables: Map<string, string | undefined>;
  /** Variables that are not known, and made of what lies outside the workspace. */
  readonly astray: Set<string>;
  readonly functions: Set<string>;
  /** Bodies of functions defined so far: what a caller feeds them, they read. */
  readonly bodies: Map<string, SyntaxNode>;
  /** What the next command reads unless a pipe or a redirection of its own feeds it. */
  stdin: Stdin;
  /** What earlier commands of the same text write. */
  readonly written: Writing;
  readonly links: Set<string>;
  /** Folders that were put on PATH. */
  readonly searched: Set<string>;
  cwd: string | undefined;
  /** Whether a `cd` has left the workspace, or may have. */
  readonly place: { strayed: boolean };
  /** Patterns may match more names than bash's own do: those that begin with a dot, or are spelled otherwise. */
  readonly patterns: { widened: boolean };
  /** What is judged is done to these names. */
  readonly found?: readonly FoundNames[];
  venv: boolean;
  /** Where the text being read waits for its background processes, or ends them, for the last time. */
  readonly jobsEnd: number;
  /** How many more commands are looked at, and how many groups are open around this one. */
  readonly budget: { commands: number; nesting: number };
  /** Only tried: words of a command, judged as if they were one themselves. */
  readonly netted?: boolean;
  /** This part of the text may not run, or not now: what it sets may or may not be so afterwards. */
  perhaps: boolean;
  /** How many rounds of a loop are still judged one by one. */
  readonly rounds: number;
  /** Turns offsets of the text being read into offsets of the text that was given. */
  at(pos: number, end: number): Span;
  /** Reads the commands of a parsed script; answers with how many there are. */
  script(script: ParsedScript, scope: ShellScope): number;
  /** Judges one program. */
  simple(command: SimpleCommand, scope: ShellScope): void;
  /** Judges text that another shell would run. */
  nested(text: string, scope: ShellScope, options: NestedOptions): void;
  /** Judges code of another language than the shell's, which `command` would run. */
  code(code: string, span: Span, command: SimpleCommand, scope: ShellScope): void;
}

export interface NestedOptions {
  readonly span: Span;
  readonly via?: readonly string[];
  /** True where it runs in the same shell (eval, source), so that variables are shared. */
  readonly same?: boolean;
  /** Variables that are set for it alone. */
  readonly env?: SimpleCommand['env'];
  /** `$0`, `$1` and so on in it. */
  readonly args?: readonly string[];
  /** What it reads; nothing where it is itself what is read. */
  readonly stdin?: Stdin;
}

export function lookUp(scope: ShellScope, name: string): string | undefined {
  if (scope.variables.has(name)) return scope.variables.get(name);
  if (name === 'HOME') return HOME;
  if (name === 'PWD' || name === 'CWD') return scope.cwd ?? '.';
  if (name === 'TMPDIR' && scope.context.variables?.['TMPDIR'] === undefined)
    return scope.context.temporary ?? '/tmp';
  if (name === 'PLANWRIGHT_HOME') return scope.context.storeDir;
  const given = scope.context.variables;
  if (given && Object.hasOwn(given, name)) return given[name];
  // In the real environment, a variable that is not there is empty: `rm -rf /$UNSET` deletes everything.
  if (given && /^[A-Za-z_]\w*$/.test(name)) return '';
  return undefined;
}

export function report(scope: ShellScope, rule: RuleInfo, span?: Span): void {
  scope.findings.add(rule, span);
}

export const noStdin: Stdin = { kind: 'none' };
