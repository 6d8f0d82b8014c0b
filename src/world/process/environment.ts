import { canBeGiven, isKeptFromSteps, MAX_VARIABLE, type Session } from '../../core/contract/index.ts';

export type Environment = Readonly<Record<string, string>>;

/** Which run and step a process belongs to. In its environment, so that one that strayed is recognised. */
export interface Marker {
  run: string;
  step: string;
  /** The claim of the driver that started it: one that was overtaken leaves alone what a later one has started. */
  epoch: number;
  /** A service. One that is kept is not marked as the run's: what ends with the run is found by that. */
  service?: { name: string; keep: boolean };
}
export const RUN_MARKER = 'PLANWRIGHT_RUN';
export const STEP_MARKER = 'PLANWRIGHT_STEP';
export const EPOCH_MARKER = 'PLANWRIGHT_EPOCH';
export const SERVICE_MARKER = 'PLANWRIGHT_SERVICE';
/** What is started beside the steps (git for checkpoints and for looking, a brain's program): it is not ended with them. */
export const HELPER_MARKER = 'PLANWRIGHT_HELPER';

/** The environment of something that is started beside the steps, for a run where one is known. */
export const helperEnvironment = (env: Readonly<Record<string, string | undefined>>, run = '') => ({
  ...env,
  [HELPER_MARKER]: run,
});

/** Names a service of a run, among all services of the machine. */
export const serviceMark = (run: string, name: string): string => `${run}:${name}`;

/** No process can be given a variable as large as this, so it cannot be carried to one. */
const TOO_LARGE = 128 * 1024;

/** Whether a variable that is not exported may be carried to the next shell. */
export const canBeDefined = (name: string, value: string): boolean =>
  canBeGiven(name) && value.length <= MAX_VARIABLE && !value.includes('\ufffd');

/** What of the caller's environment a run may see. */
export function baseEnvironment(caller: Readonly<Record<string, string | undefined>>): Environment {
  const kept = Object.entries(caller).filter(
    ([name, value]) => value !== undefined && !isKeptFromSteps(name),
  );
  return Object.fromEntries(kept) as Environment;
}

/** Of a terminal, or of whoever started us: another one each time, and no step is meant to depend on it. */
const fleeting: ReadonlySet<string> = new Set(
  'OLDPWD COLUMNS LINES WINDOWID TERM_SESSION_ID SSH_TTY SSH_CLIENT SSH_CONNECTION GPG_TTY TMUX_PANE INVOCATION_ID JOURNAL_STREAM'.split(
    ' ',
  ),
);

/** What of it is worth comparing with a later one. */
export const lastingEnvironment = (caller: Readonly<Record<string, string | undefined>>): Environment =>
  Object.fromEntries(
    Object.entries(baseEnvironment(caller)).filter(([name]) => canBeGiven(name) && !fleeting.has(name)),
  );

/** What a step's shell is started with. */
export function stepEnvironment(base: Environment, session: Session, marker: Marker): Environment {
  const env: Record<string, string> = { ...base };
  for (const [name, value] of Object.entries(session.env)) {
    if (!canBeGiven(name)) continue;
    if (value === null) delete env[name];
    else env[name] = value;
  }
  // bash believes PWD where it names the directory it is in: a path through a link stays as the person wrote it.
  env['PWD'] = session.cwd;
  return Object.assign(env, marksOf(marker));
}

/** What a process of theirs is recognised by. */
export const marksOf = ({ run, step, epoch, service }: Marker): Environment => ({
  [EPOCH_MARKER]: String(epoch),
  ...(service === undefined ? {} : { [SERVICE_MARKER]: serviceMark(run, service.name) }),
  ...(service?.keep === true ? {} : { [RUN_MARKER]: run, [STEP_MARKER]: step }),
});

/** How the variables that a shell reports differ from the base environment. */
export function environmentChanges(base: Environment, reported: ReadonlyMap<string, string>): Session['env'] {
  const changes: Session['env'] = {};
  const before = variablesOf(base);
  for (const [name, value] of reported) {
    if (before.get(name) === value) continue;
    if (canBeGiven(name) && Buffer.byteLength(name + value) + 2 <= TOO_LARGE) changes[name] = value;
  }
  for (const name of before.keys()) if (!reported.has(name) && canBeGiven(name)) changes[name] = null;
  return changes;
}

/** The same base for all steps of a run: looked up by names that were just read, a map is faster than a record. */
const variablesOf = (base: Environment): ReadonlyMap<string, string> => {
  let variables = known.get(base);
  if (variables === undefined) known.set(base, (variables = new Map(Object.entries(base))));
  return variables;
};
const known = new WeakMap<Environment, ReadonlyMap<string, string>>();
