import { type GuardedAgent, guardedAgents } from '../../../core/contract/guard/index.ts';
import { asLine, wordsBefore } from '../../../core/guard/settings/index.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import {
  agentsHere,
  applyEdit,
  checkpointChoices,
  guardStatus,
  type InstallQuery,
  planInstall,
  planUninstall,
  programFor,
  type SettingsEdit,
  tryHook,
  type WantedProgram,
} from '../../app/guard/setup.ts';
import { findPlaces, findWorkspace } from '../../app/places.ts';
import { type CommandCode, type Given, oneOf } from '../command.ts';
import { type Context, isAttended, note, print, printJson } from '../context.ts';
import { mustDecide } from '../decide.ts';
import { lookOf } from '../look-of.ts';

type Verb = (context: Context, given: Given, rest: readonly string[]) => Promise<ExitCode>;

const verbs: Readonly<Record<string, Verb>> = {
  status,
  test: tryAll,
  install: (context, given) => change(context, given, 'install'),
  uninstall: (context, given) => change(context, given, 'uninstall'),
  log: async (context, given, rest) => (await import('./guard-log.ts')).log(context, given, rest),
  allow: async (context, given, rest) => (await import('./guard-log.ts')).allow(context, given, rest),
};

export const command: CommandCode = {
  async run(context, given) {
    const [verb = 'status', ...rest] = given.positionals;
    const does = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (does === undefined) throw new AppError('usage', `usage: planwright ${given.usage}`);
    return does(context, given, rest);
  },
};

const queryOf = ({ env, cwd }: Context, given: Given): InstallQuery => {
  if (given.flag('user') && given.flag('project'))
    throw new AppError('usage', 'either --user or --project: each is a file of its own');
  return {
    places: findPlaces(env),
    env,
    workspace: findWorkspace(cwd, given.text('workspace')),
    scope: given.flag('project') ? 'project' : 'user',
  };
};

/** How a hook starts this program: by the Node and the file that it is running from, with its own home where it has one. */
function programOf({ env }: Context, given: Given): WantedProgram {
  const home = env['PLANWRIGHT_HOME'];
  return {
    words: [
      ...(home ? ['/usr/bin/env', `PLANWRIGHT_HOME=${home}`] : []),
      process.execPath,
      process.argv[1] ?? '',
    ],
    checkpoints: oneOf(given, 'undo', checkpointChoices) ?? null,
  };
}

/** Those that are named, or all that are here. */
function agentsOf(given: Given, query: InstallQuery): readonly GuardedAgent[] {
  const named = oneOf(given, 'for', [...guardedAgents, 'all'] as const);
  if (named !== undefined && named !== 'all') return [named];
  const here = agentsHere(query);
  if (here.length > 0) return here;
  throw new AppError('usage', `no agent was found here: name one with --for (${guardedAgents.join(', ')})`);
}

async function change(context: Context, given: Given, what: 'install' | 'uninstall'): Promise<ExitCode> {
  await mustDecide(context, `guard ${what}`);
  const query = queryOf(context, given);
  const program = programOf(context, given);
  const edits = agentsOf(given, query).map((agent) =>
    what === 'install' ? planInstall(agent, query, program) : planUninstall(agent, query),
  );
  const toDo = edits.filter((edit) => edit !== null);
  if (toDo.length === 0) {
    note(
      context,
      what === 'install' ? 'It is installed as it would be.' : 'There is nothing of the guard to take out.',
    );
    return exitCodes.done;
  }
  await showEdits(context, toDo);
  if (given.flag('dry-run')) return exitCodes.done;
  if (!(await isAgreed(context, given))) return exitCodes.needsPerson;
  for (const edit of toDo) {
    await applyEdit(query.places, edit, what);
    note(context, `${what === 'install' ? 'Installed for' : 'Taken out of'} ${edit.agent}: ${edit.file}`);
    if (what === 'install') noteNext(context, edit.agent);
  }
  return exitCodes.done;
}

async function showEdits(context: Context, edits: readonly SettingsEdit[]): Promise<void> {
  const [{ renderDiff }, { changedLines }] = await Promise.all([
    import('../render/undo.ts'),
    import('../render/changed-lines.ts'),
  ]);
  const look = lookOf(context, 'stdout');
  for (const { file, before, after } of edits)
    print(context, renderDiff(changedLines(file, before, after), look).join('\n'));
}

async function isAgreed(context: Context, given: Given): Promise<boolean> {
  if (given.flag('yes')) return true;
  if (!isAttended(context)) {
    note(context, 'Nobody is here to agree to it: --yes makes the change.');
    return false;
  }
  const { askYes } = await import('../ask.ts');
  return askYes(context, 'Make this change?');
}

const next: Partial<Record<GuardedAgent, string>> = {
  codex: 'Codex runs no hook that nobody has looked at: open it, and trust this one in /hooks.',
  gemini: 'Gemini CLI runs hooks of a project only in folders that you trust there.',
  cursor: 'Cursor shows its hooks, and what they said, in its settings under Hooks.',
};

function noteNext(context: Context, agent: GuardedAgent): void {
  const said = next[agent];
  if (said !== undefined) note(context, ` ${said}`);
}

async function status(context: Context, given: Given): Promise<ExitCode> {
  const query = queryOf(context, given);
  const program = programOf(context, given);
  const named = oneOf(given, 'for', [...guardedAgents, 'all'] as const);
  const agents = named === undefined || named === 'all' ? guardedAgents : [named];
  const all = agents.flatMap((agent) =>
    (['user', 'project'] as const).map((scope) => guardStatus(agent, { ...query, scope }, program)),
  );
  if (given.flag('json')) printJson(context, all);
  else {
    const { renderStatus } = await import('../render/guard.ts');
    print(context, renderStatus(all, lookOf(context, 'stdout')).join('\n'));
  }
  return exitCodes.done;
}

async function tryAll(context: Context, given: Given): Promise<ExitCode> {
  const query = queryOf(context, given);
  const program = programOf(context, given);
  const named = oneOf(given, 'for', [...guardedAgents, 'all'] as const);
  const agents = named === undefined || named === 'all' ? guardedAgents : [named];
  const installed = agents.flatMap((agent) => {
    const scopes = (['user', 'project'] as const).map((scope) => ({ ...query, scope }));
    const there = scopes.find((one) => guardStatus(agent, one, program).state === 'installed');
    return there === undefined
      ? []
      : [{ agent, words: wordsBefore(agent, programFor(agent, there, program)) }];
  });
  if (installed.length === 0) {
    note(context, 'The guard is installed for no agent here: planwright guard install.');
    return exitCodes.failed;
  }
  const { renderTried } = await import('../render/guard.ts');
  const tried = installed.map(({ agent, words }) => ({
    ...{ agent, line: asLine(words), commands: tryHook(agent, words, context.env) },
  }));
  if (given.flag('json')) printJson(context, tried);
  else
    for (const { agent, commands } of tried)
      print(context, [` ${agent}`, ...renderTried(commands, lookOf(context, 'stdout'))].join('\n'));
  return tried.every(({ commands }) => commands.every(({ isWell }) => isWell))
    ? exitCodes.done
    : exitCodes.failed;
}
