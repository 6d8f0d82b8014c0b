import { dirname } from 'node:path';
import {
  type Blocks,
  canonical,
  type RiskLevel,
  type Session,
  type SimpleAction,
  type SingleAction,
  shellText,
  type Verdict,
  withShellText,
} from '../../../core/contract/index.ts';
import {
  atLeast,
  type HeldText,
  type JudgeContext,
  judgeAction,
  type Performed,
  worse,
} from '../../../core/risk/index.ts';
import { parseWhole } from '../../../core/shell/index.ts';
import { monotonic } from '../../process/monotonic.ts';
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
  /** Settings that say whether an agent asks the guard. */
  guarded?: readonly string[];
  shell: 'bash' | 'pwsh';
  /** Variables of this step alone. */
  env?: Readonly<Record<string, string>> | undefined;
}

export interface ResolveOptions {
  /** A person trusts the workspace. */
  trusted?: boolean;
  /** What other steps did before it. */
  earlier?: Blocks<Performed>;
  /** When the run began; what is younger in the temporary folder is its own. Left out, nothing there is. */
  since?: number;
  /** What a file holds that would be run: judged as if it stood in the command. */
  held?: (path: string) => HeldText | null;
  /** The names that an archive, a patch or a folder brings along. */
  brings?: JudgeContext['brings'];
  unhooks?: JudgeContext['unhooks'];
  /**
   * Given what looks at the world again, and says whether all is there as it was when this was judged: with the same action in the
   * same place the verdict is then the same. Not called where more was looked at than can be cheaply looked at again.
   */
  proves?: ((isStill: () => boolean) => void) | undefined;
  typed?: JudgeContext['typed'];
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
  const named = contextOf(place, place.session.cwd, (path) => path);
  const written = judgeAction(action, { ...named, ...session });
  // What it touches follows from the checkpoints that it names.
  if (action.kind === 'restore') return written;
  try {
    return await resolved(action, place, options, { written, named }, real, session);
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

/** An action judged as it is written, in a place as it is called. */
interface AsWritten {
  written: Verdict;
  named: JudgeContext;
}

async function resolved(
  action: SimpleAction,
  place: ResolvePlace,
  options: ResolveOptions,
  { written, named }: AsWritten,
  real: RealPaths,
  session: JudgeContext,
): Promise<Verdict> {
  const found: Touched = { touches: [], unresolved: new Set(), seen: new Map() };
  const cwd = real.find(place.session.cwd, true).path;
  const there = contextOf(place, cwd, (path) => real.find(path, true).path);
  const context = { ...there, ...session };
  const source = shellText(action);
  // Where no link is on the way to it, the place is what it is called.
  const judgedAs = source !== null && canonical(there) === canonical(named) ? source : null;
  const judged =
    source !== null
      ? judgeShell(action, source, place, context, real, found, { written, judgedAs })
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
  // What would be changed is counted and weighed, and what is held or brought along is read.
  const { held, brings, proves } = options;
  const looksFurther = found.touches.some(({ writes, below }) => writes || below);
  const isStill = looksFurther || held !== undefined || brings !== undefined ? null : real.proof();
  const measured = await measure(found.touches, limits, options.now ?? monotonic);
  const unresolved = [...found.unresolved].slice(0, 200);
  const said = blocked ? [] : resolvedReasons(found, measured, real.find(place.workspace, true).path);
  if (isStill !== null) proves?.(isStill);
  const unknownPaths = source !== null ? unknownPathsOf(verdict, [...found.seen.values()]) : undefined;
  return {
    ...verdict,
    reasons: [...verdict.reasons, ...said],
    paths: [...new Set([...measured.paths, ...unresolved])].sort(),
    ...(unknownPaths === undefined ? {} : { unknownPaths }),
  };
}

function contextOf(place: ResolvePlace, cwd: string, at: (path: string) => string): JudgeContext {
  const { temporary, venv } = environmentOf(place);
  return {
    cwd,
    home: at(place.home),
    workspace: at(place.workspace),
    storeDir: at(place.storeDir),
    ...(place.configDir === undefined ? {} : { configDir: at(place.configDir) }),
    ...(place.guarded === undefined ? {} : { guarded: place.guarded.map(at) }),
    shell: place.shell,
    temporary: at(temporary).replace(/(?<=.)\/+$/, ''),
    venv,
  };
}

/** What earlier steps have made of the session, and what stands there for the names of programs. */
function sessionOf(
  place: ResolvePlace,
  { trusted, earlier = [], held, brings, unhooks, typed }: ResolveOptions,
  real: RealPaths,
): JudgeContext {
  const { session } = place;
  const workspace = real.find(place.workspace, true).path;
  return {
    program: findProgram(environmentOf(place).variables.get('PATH'), session.cwd, workspace, real),
    exported: Object.keys(session.env),
    ...(held === undefined ? {} : { held }),
    ...(brings === undefined ? {} : { brings }),
    ...(unhooks === undefined ? {} : { unhooks }),
    ...(typed === undefined ? {} : { typed }),
    ...(place.env === undefined ? {} : { env: place.env }),
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
  { written, judgedAs }: { written: Verdict; judgedAs: string | null },
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
    environment: environmentOf(place).variables,
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
    for (const variant of edits.variants(source)) {
      if (variant.text === judgedAs) continue;
      verdict = worse(verdict, judgeVariant(action, variant, context, written));
    }
    if (!progress.sawMissing) break;
  }
  return verdict;
}

const NONE: Readonly<Record<string, string>> = {};

interface Environment {
  variables: ReadonlyMap<string, string>;
  temporary: string;
  venv: boolean;
}

/** What the session starts with. Names that bash or the process room keeps are never looked up in it. */
function environmentOf({ baseEnv, session, env = NONE }: ResolvePlace): Environment {
  const known = environments.get(session);
  if (known?.baseEnv === baseEnv && known.env === env) return known.environment;
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(baseEnv)) if (value !== undefined) variables.set(name, value);
  for (const [name, value] of Object.entries(session.env)) {
    if (value === null) variables.delete(name);
    else variables.set(name, value);
  }
  for (const [name, value] of Object.entries(env)) variables.set(name, value);
  const temporary = variables.get('TMPDIR') || '/tmp';
  const environment = { variables, temporary, venv: hasVenv(variables) };
  environments.set(session, { baseEnv, env, environment });
  return environment;
}

/** A loop is judged item by item in one session: its variables are put together once. */
const environments = new WeakMap<
  Session,
  { baseEnv: ResolvePlace['baseEnv']; env: typeof NONE; environment: Environment }
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
