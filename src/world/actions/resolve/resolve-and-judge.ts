import { dirname } from 'node:path';
import {
  type Blocks,
  type RiskLevel,
  type Session,
  type SimpleAction,
  type SingleAction,
  shellText,
  type Verdict,
  withShellText,
} from '../../../core/contract/index.ts';
import { atLeast, type JudgeContext, judgeAction, type Performed, worse } from '../../../core/risk/index.ts';
import { parseWhole } from '../../../core/shell/index.ts';
import { beyondCheckpoint } from './beyond.ts';
import { createEdits, type Variant } from './edits.ts';
import { resolveFileAction } from './file-action.ts';
import { createGlobber } from './glob.ts';
import type { Interpreter } from './interpreter.ts';
import { LIMITS, type MeasureLimits, measure } from './measure.ts';
import { findProgram, isBelow } from './programs.ts';
import { createRealPaths, type RealPaths } from './real-paths.ts';
import { runList, runNode } from './run-list.ts';
import { resolvedReasons } from './sentence.ts';
import { startState } from './shell-state.ts';
import type { Touched } from './touch.ts';
import { noteUnknown, unknownPathsOf, whys } from './unknown-paths.ts';
import { writtenBefore } from './written-before.ts';

/** Where a step would run. */
export interface ResolvePlace {
  session: Session;
  /** What the session's variables differ from. */
  baseEnv: Readonly<Record<string, string | undefined>>;
  workspace: string;
  home: string;
  storeDir: string;
  configDir?: string;
  shell: 'bash' | 'pwsh';
}

export interface ResolveOptions {
  /** A person trusts the workspace. */
  trusted?: boolean;
  /** What other steps did before it. */
  earlier?: Blocks<Performed>;
  /** When the run began; what is younger in the temporary folder is its own. Left out, nothing there is. */
  since?: number;
  limits?: Partial<MeasureLimits>;
  /** Milliseconds; for tests. */
  now?: () => number;
}

const MAX_COMMANDS = 5_000;

/**
 * Judges an action as it is written, then as it would be in this place now: variables, `~`, patterns and links
 * resolved. The verdict is the worse of both; its paths are where it would really reach, sorted, and they change
 * when a link, a variable or a file below a deleted folder does. What cannot be resolved stays as written. Never
 * throws, runs nothing, opens nothing but folders.
 */
export async function resolveAndJudge(
  action: SingleAction,
  place: ResolvePlace,
  options: ResolveOptions = {},
): Promise<Verdict> {
  const real = createRealPaths();
  const session = sessionOf(place, options, real);
  const written = judgeAction(action, {
    ...contextOf(place, place.session.cwd, (path) => path),
    ...session,
  });
  // What it touches follows from the checkpoints that it names.
  if (action.kind === 'restore') return written;
  try {
    return await resolved(action, place, options, written, real, session);
  } catch (error) {
    // A resolution that fails must not be a way past it: a person has to look.
    const why = error instanceof Error ? error.message : String(error);
    const sentence = `What it would touch could not be found out: ${why}`;
    const reason = { rule: 'not-resolved', level: 'dangerous', sentence } as const;
    return {
      ...worse(written, { ...written, level: 'dangerous', reasons: [reason], reversible: false }),
      unknownPaths: sentence,
    };
  }
}

async function resolved(
  action: SimpleAction,
  place: ResolvePlace,
  options: ResolveOptions,
  written: Verdict,
  real: RealPaths,
  session: JudgeContext,
): Promise<Verdict> {
  const found: Touched = { touches: [], unresolved: new Set(), seen: new Map() };
  const cwd = real.find(place.session.cwd, true).path;
  const context = { ...contextOf(place, cwd, (path) => real.find(path, true).path), ...session };
  const source = shellText(action);
  const judged =
    source !== null
      ? judgeShell(action, source, place, context, real, found, written)
      : worse(written, judgeAction(resolveFileAction(action, place.session.cwd, real, found), context));
  const verdict = beyondCheckpoint(judged, found.touches, {
    workspace: context.workspace ?? place.workspace,
    temporary: context.temporary ?? '/tmp',
    since: options.since ?? Number.POSITIVE_INFINITY,
  });
  const limits = { ...LIMITS, ...options.limits };
  // What is blocked never runs: nobody has to know how much it would have been.
  const blocked = verdict.level === 'blocked';
  if (blocked) for (const touch of found.touches) touch.below = false;
  const measured = await measure(found.touches, limits, options.now ?? (() => performance.now()));
  const unresolved = [...found.unresolved].slice(0, 200);
  const said = blocked ? [] : resolvedReasons(found, measured, real.find(place.workspace, true).path);
  const unknownPaths = source !== null ? unknownPathsOf(verdict, [...found.seen.values()]) : undefined;
  return {
    ...verdict,
    reasons: [...verdict.reasons, ...said],
    paths: [...new Set([...measured.paths, ...unresolved])].sort(),
    ...(unknownPaths === undefined ? {} : { unknownPaths }),
  };
}

const contextOf = (place: ResolvePlace, cwd: string, at: (path: string) => string): JudgeContext => ({
  cwd,
  home: at(place.home),
  workspace: at(place.workspace),
  storeDir: at(place.storeDir),
  ...(place.configDir === undefined ? {} : { configDir: at(place.configDir) }),
  shell: place.shell,
  temporary: at(environmentOf(place).get('TMPDIR') || '/tmp').replace(/(?<=.)\/+$/, ''),
  venv: hasVenv(environmentOf(place)),
});

/** What earlier steps have made of the session, and what stands there for the names of programs. */
function sessionOf(
  place: ResolvePlace,
  { trusted, earlier = [] }: ResolveOptions,
  real: RealPaths,
): JudgeContext {
  const { session } = place;
  const workspace = real.find(place.workspace, true).path;
  return {
    program: findProgram(environmentOf(place).get('PATH'), session.cwd, workspace, real),
    exported: Object.keys(session.env),
    ...writtenBefore(
      earlier,
      contextOf(place, place.workspace, (path) => path),
      real,
    ),
    ...(trusted === undefined ? {} : { trusted, trusts: (folder) => isOwn(folder, workspace, real) }),
  };
}

/** In the workspace, and in no other repository below it. */
function isOwn(folder: string | undefined, workspace: string, real: RealPaths): boolean {
  if (!folder?.startsWith('/')) return false;
  for (let at = real.find(folder, true).path; at !== workspace; at = dirname(at))
    if (!isBelow(at, workspace) || real.find(`${at}/.git`, false).kind !== 'missing') return false;
  return true;
}

/** Packages would go into an environment of their own, and not to where all programs of the user look. */
const hasVenv = (environment: ReadonlyMap<string, string>): boolean =>
  ['VIRTUAL_ENV', 'CONDA_PREFIX', 'PIP_TARGET', 'PIP_PREFIX'].some((name) => environment.get(name)) ||
  /(?:^|:)[^:]*\/\.?venv\/bin(?:\/?:|$)/.test(environment.get('PATH') ?? '');

function judgeShell(
  action: SimpleAction,
  source: string,
  place: ResolvePlace,
  context: JudgeContext,
  real: RealPaths,
  found: Touched,
  written: Verdict,
): Verdict {
  const script = place.shell === 'bash' ? parseWhole(source) : null;
  if (!script) {
    for (const path of written.paths) found.unresolved.add(path);
    noteUnknown({ at: [0, source.length], found }, whys.unread);
    return written;
  }
  let verdict = written;
  const base = {
    real,
    globber: createGlobber(real),
    home: place.home,
    environment: environmentOf(place),
    found,
    depth: 0,
    at: [0, source.length] as const,
    runList,
    runNode,
  };
  for (const missing of ['enter', 'stay'] as const) {
    const progress = { sawMissing: false, commands: MAX_COMMANDS };
    const edits = createEdits(source.length);
    const it: Interpreter = { ...base, edits, missing, progress };
    runList(script.commands, startState(place.session.cwd), it);
    for (const variant of edits.variants(source))
      verdict = worse(verdict, judgeVariant(action, variant, context, written));
    if (!progress.sawMissing) break;
  }
  return verdict;
}

/** What the session starts with. Names that bash or the process room keeps are never looked up in it. */
function environmentOf({ baseEnv, session }: ResolvePlace): Map<string, string> {
  const known = environments.get(session);
  if (known?.baseEnv === baseEnv) return known.environment;
  const environment = new Map<string, string>();
  for (const [name, value] of Object.entries(baseEnv)) if (value !== undefined) environment.set(name, value);
  for (const [name, value] of Object.entries(session.env)) {
    if (value === null) environment.delete(name);
    else environment.set(name, value);
  }
  environments.set(session, { baseEnv, environment });
  return environment;
}

/** A loop is judged item by item in one session: its variables are put together once. */
const environments = new WeakMap<
  Session,
  { baseEnv: ResolvePlace['baseEnv']; environment: Map<string, string> }
>();

/** Guards about how a text looks: said of names that the disk gave us, they are no worry of the person's. */
const looks = new Set(['unusual-characters', 'deceptive-text', 'long', 'quoted-substitution']);

function judgeVariant(
  action: SimpleAction,
  variant: Variant,
  context: JudgeContext,
  written: Verdict,
): Verdict {
  const { text } = variant;
  const verdict = judgeAction(withShellText(action, text), context);
  const known = new Set(written.reasons.map((reason) => reason.rule));
  const kept = verdict.reasons.filter(({ rule, span }) => {
    const whole = span?.[0] === 0 && span[1] === text.length;
    return known.has(rule) || !looks.has(rule) || (rule === 'deceptive-text' && !whole);
  });
  const reasons = kept.map((reason) =>
    reason.span ? { ...reason, span: variant.back(reason.span) } : reason,
  );
  const levels: RiskLevel[] = ['blocked', 'dangerous', 'caution'];
  const level = levels.find((one) => kept.some((reason) => reason.level === one)) ?? 'safe';
  const reversible = verdict.reversible || !atLeast(level, 'dangerous');
  return { ...verdict, level, reasons, reversible, paths: [] };
}
