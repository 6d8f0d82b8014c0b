import type { Verdict } from '../contract/index.ts';
import { parseBash, UNKNOWN } from '../shell/index.ts';
import { asItLooks, guards, hasInvisible, isPlain, limits, sessionGuards } from './guards.ts';
import { POSITIONAL, setList } from './lists.ts';
import { jobsEnd } from './loops.ts';
import { nothingWritten } from './origins.ts';
import { judgePwsh } from './pwsh/index.ts';
import { type NestedOptions, noStdin, report, type ShellScope } from './scope.ts';
import { judgeSimple } from './simple.ts';
import { checkSubstitutions } from './substitutions.ts';
import type { JudgeContext, SimpleCommand, Written } from './types.ts';
import { steersPrograms } from './variables.ts';
import { createFindings, type Findings } from './verdict.ts';
import { walkScript } from './walk.ts';
import { judgeCode } from './wrappers/code.ts';

/**
 * Judges shell text without running anything. Never throws: what cannot be judged is dangerous.
 * The level is the worst of all commands found in it, however they are wrapped.
 */
export const judgeCommand = (text: string, context: JudgeContext = {}): Verdict =>
  followCommand(text, context).verdict;

/** What a text leaves for those that come after it in the same session. */
export interface Followed {
  readonly verdict: Verdict;
  readonly written: Written;
  /** The directory it ends in, where that is known. */
  readonly cwd: string | undefined;
  /** Variables that it may have set. */
  readonly set: readonly string[];
}

/** Judges shell text, and says what is then different. Never throws. */
export function followCommand(text: string, context: JudgeContext): Followed {
  const findings = createFindings();
  const scope = createScope(context, findings);
  if (context.typed === 'now') findings.add(sessionGuards.typed, [0, text.length]);
  try {
    if (context.shell === 'pwsh') judgePwshText(text, scope);
    else scope.cwd = judgeBash(text, scope);
  } catch {
    findings.add(guards.parseError, [0, text.length]);
  }
  const { written, cwd, variables } = scope;
  return { verdict: findings.verdict(), written, cwd, set: [...variables.keys()] };
}

/** PowerShell also starts ordinary programs; those are judged by the same rules as in bash. */
function judgePwshText(text: string, scope: ShellScope): void {
  judgePwsh(text, scope.findings, (native, command) =>
    nested(native.replace(/\\/g, '/').replace(/`/g, ''), scope, { span: command.span }),
  );
}

function judgeBash(text: string, scope: ShellScope): string | undefined {
  const whole = [0, text.length] as const;
  const { context, findings } = scope;
  if (text.length > limits.bytes) findings.add(guards.long, whole);
  if (text.length > limits.judged) {
    findings.add(guards.tooLong, whole);
    return undefined;
  }
  if (context.exported?.some(steersPrograms)) findings.add(sessionGuards.variable, whole);
  if (!isPlain(text)) {
    findings.add(guards.characters, whole);
    if (hasInvisible(text)) findings.add(guards.deceptiveName, whole);
    const looks = asItLooks(text);
    if (looks !== text) judgeText(looks, scope, () => whole);
  }
  return judgeText(text, scope, (pos, end) => [Math.min(pos, text.length), Math.min(end, text.length)]);
}

/** Every program that judging the text comes across, however deep: what the classifier believes would run. */
export function believedCommands(text: string): SimpleCommand[] {
  const seen: SimpleCommand[] = [];
  const scope: ShellScope = {
    ...createScope({}, createFindings()),
    budget: { commands: 10_000, nesting: 0 },
    simple(command, inner) {
      seen.push(command);
      judgeSimple(command, inner);
    },
  };
  if (text.length <= limits.judged) judgeText(text, scope, (pos, end) => [pos, end]);
  return seen;
}

function createScope(context: JudgeContext, findings: Findings): ShellScope {
  return {
    context,
    findings,
    depth: 0,
    via: [],
    variables: new Map(),
    astray: new Set(),
    functions: new Set(),
    bodies: new Map(),
    stdin: context.typed === 'later' ? { kind: 'pipe', from: [] } : noStdin,
    written: nothingWritten(),
    links: new Set(),
    searched: new Set(),
    venv: false,
    jobsEnd: 0,
    cwd: context.cwd,
    place: { strayed: false },
    patterns: { widened: false },
    perhaps: false,
    rounds: limits.rounds,
    budget: { commands: limits.commands, nesting: 0 },
    at: (pos, end) => [pos, end],
    script: walkScript,
    simple: judgeSimple,
    nested,
    code: judgeCode,
  };
}

/** Judges text that a shell inside this one would run. */
function nested(text: string, outer: ShellScope, options: NestedOptions): void {
  const { span } = options;
  if (outer.depth >= limits.depth) {
    report(outer, guards.tooDeep, span);
    return;
  }
  if (text.length > limits.judged) {
    report(outer, guards.tooLong, span);
    return;
  }
  const clean = text.replaceAll(UNKNOWN, '');
  if (!isPlain(clean)) report(outer, hasInvisible(clean) ? guards.deceptiveName : guards.characters, span);
  if (clean !== text) report(outer, guards.unproven, span);
  const inner: ShellScope = {
    ...outer,
    depth: outer.depth + 1,
    via: options.via ?? outer.via,
    stdin: options.stdin ?? noStdin,
    variables: options.same ? outer.variables : new Map(outer.variables),
  };
  for (const { name, value } of options.env ?? [])
    inner.variables.set(name, value.value.includes(UNKNOWN) ? undefined : value.value);
  for (const [i, arg] of (options.args ?? []).entries())
    inner.variables.set(String(i), arg.includes(UNKNOWN) ? undefined : arg);
  if (options.args) setList(inner, POSITIONAL, options.args.slice(1));
  const cwd = judgeText(text, inner, () => span);
  if (options.same) outer.cwd = cwd;
}

/** Answers with the directory that the text ends in. */
function judgeText(text: string, scope: ShellScope, at: ShellScope['at']): string | undefined {
  const parsed = parseBash(text);
  if ('why' in parsed) {
    report(scope, guards.tooDeep, at(0, text.length));
    return undefined;
  }
  const { script } = parsed;
  const inner: ShellScope = {
    ...scope,
    at,
    jobsEnd: text.includes('&') || text.includes('coproc') ? jobsEnd(script) : 0,
  };
  if (script.errors?.length) {
    const first = script.errors[0]?.pos ?? 0;
    report(scope, guards.parseError, at(Math.min(first, text.length), text.length));
  }
  const broken = text.search(/\S\\\n/);
  if (broken !== -1) report(scope, guards.continuation, at(broken, broken + 3));
  checkSubstitutions(script, text, inner);
  if (walkScript(script, inner) === 0) report(scope, guards.empty, at(0, text.length));
  return inner.cwd;
}
