import type { Verdict } from '../contract/index.ts';
import { parseBash, UNKNOWN } from '../shell/index.ts';
import { asItLooks, guards, hasInvisible, isPlain, limits } from './guards.ts';
import { jobsEnd } from './loops.ts';
import { judgePwsh } from './pwsh/index.ts';
import { type NestedOptions, noStdin, report, type ShellScope } from './scope.ts';
import { judgeSimple } from './simple.ts';
import { checkSubstitutions } from './substitutions.ts';
import type { JudgeContext, SimpleCommand } from './types.ts';
import { createFindings, type Findings } from './verdict.ts';
import { walkScript } from './walk.ts';

/**
 * Judges shell text without running anything. Never throws: what cannot be judged is dangerous.
 * The level is the worst of all commands found in it, however they are wrapped.
 */
export function judgeCommand(text: string, context: JudgeContext = {}): Verdict {
  const findings = createFindings();
  try {
    if (context.shell === 'pwsh') judgePwshText(text, context, findings);
    else judgeBash(text, context, findings);
  } catch {
    findings.add(guards.parseError, [0, text.length]);
  }
  return findings.verdict();
}

/** PowerShell also starts ordinary programs; those are judged by the same rules as in bash. */
function judgePwshText(text: string, context: JudgeContext, findings: Findings): void {
  const scope = createScope(context, findings);
  judgePwsh(text, findings, (native, command) =>
    nested(native.replace(/\\/g, '/').replace(/`/g, ''), scope, { span: command.span }),
  );
}

function judgeBash(text: string, context: JudgeContext, findings: Findings): void {
  const whole = [0, text.length] as const;
  if (text.length > limits.bytes) findings.add(guards.long, whole);
  if (text.length > limits.judged) {
    findings.add(guards.tooLong, whole);
    return;
  }
  const scope = createScope(context, findings);
  if (!isPlain(text)) {
    findings.add(guards.characters, whole);
    if (hasInvisible(text)) findings.add(guards.deceptiveName, whole);
    const looks = asItLooks(text);
    if (looks !== text) judgeText(looks, scope, () => whole);
  }
  judgeText(text, scope, (pos, end) => [Math.min(pos, text.length), Math.min(end, text.length)]);
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
    functions: new Set(),
    bodies: new Map(),
    stdin: noStdin,
    written: new Set(),
    links: new Set(),
    venv: false,
    jobsEnd: 0,
    cwd: context.cwd,
    unrolled: false,
    budget: { commands: limits.commands, nesting: 0 },
    at: (pos, end) => [pos, end],
    script: walkScript,
    simple: judgeSimple,
    nested,
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
