import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentProgram, type AgentRunState, agentModes } from '../../../core/contract/tasks/index.ts';
import type { AgentWork } from '../../../core/tasks/index.ts';
import { baseEnvironment } from '../../../world/process/environment.ts';
import { packageCaches, probeSandbox, type SandboxPolicy } from '../../../world/process/index.ts';
import { openWayOut, type WayOut } from '../../../world/process/way-out.ts';
import {
  agentVariables,
  commitInClone,
  fetchFromClone,
  makeClone,
  removeClone,
} from '../../../world/worktrees/index.ts';
import { withoutSecrets } from '../environment.ts';
import { homeOf } from '../places.ts';
import type { TaskDriving } from './driving.ts';

/** Where an agent works, and what stands around it. */
export interface Workplace {
  folder: string;
  /** What the program is started with. */
  env: Readonly<Record<string, string>>;
  /** What git in it is told, besides. */
  variables: Readonly<Record<string, string>>;
  /** Null: it works in the worktree itself, because a person said so. */
  sandbox: SandboxPolicy | null;
  /** Takes what it has left into its branch, where it is to leave something. Throws where that cannot be done. */
  take(message: string): Promise<void>;
  close(): Promise<void>;
}

/** Why a program that nobody can hold may not work. */
export class NotHeld extends Error {}

/**
 * For a program that does things by itself, whether or not it asks before: a private clone in a sandbox, which reaches the
 * hosts of its model and nobody else. With a person's consent: the worktree, and no sandbox. Throws a NotHeld where there can
 * be no sandbox and nobody consents.
 */
export async function workplaceOf(
  given: TaskDriving,
  work: AgentWork,
  program: AgentProgram,
): Promise<Workplace> {
  const variables = agentVariables(work.run);
  const env = programEnvironment(given, program);
  if (program.ungated === true)
    return {
      ...{ folder: work.worktree, env, variables, sandbox: null },
      take: async () => {},
      close: async () => {},
    };
  await checkHeld(given, work.agent);
  const cloned = {
    project: work.given.repository.path,
    task: work.task,
    branch: work.branch,
    base: work.base,
  };
  const where = { env: given.env };
  const folder = await makeClone(cloned, where);
  const hosts = program.hosts ?? [];
  const near = hosts.flatMap((host) => /^(?:localhost|127\.0\.0\.1):(\d+)$/.exec(host)?.[1] ?? []);
  const far = hosts.filter((host) => !/^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host));
  const way: WayOut | null = far.length === 0 ? null : await openWayOut(far);
  return {
    folder,
    variables,
    env: { ...env, ...(way === null ? {} : proxied(way.port)) },
    sandbox: {
      ...sandboxOf(given, folder),
      grants: { write: program.writes?.flatMap((path) => written(path, homeOf(given.env))) },
      // A clone reads the objects that it was made from.
      shown: [join(cloned.project, '.git', 'objects')],
      loopback: [...near.map(Number), ...(way === null ? [] : [way.port])],
    },
    async take(message) {
      if (!agentModes[work.mode].changes) return;
      await commitInClone(cloned, message, where);
      await fetchFromClone(cloned, where);
    },
    async close() {
      await way?.close();
      removeClone(cloned.project, cloned.task);
    },
  };
}

/** What a driver that was killed left in a private clone. Where it cannot be taken, it is left there. */
export async function takeLeft({ env }: TaskDriving, { begun, worktree }: AgentRunState): Promise<void> {
  const { program } = begun?.given ?? {};
  if (begun === null || worktree === null || program === undefined || program.ungated === true) return;
  if (!agentModes[begun.mode].changes) return;
  const { branch, base } = worktree;
  const cloned = { project: begun.given.repository.path, task: begun.task, branch, base };
  try {
    await commitInClone(cloned, begun.brief.title, { env });
    await fetchFromClone(cloned, { env });
    removeClone(cloned.project, cloned.task);
  } catch {
    // There is none, or it is not what it was.
  }
}

async function checkHeld({ config }: TaskDriving, agent: string): Promise<void> {
  const probe = await probeSandbox();
  const why = config.sandbox === 'off' ? 'The sandbox is switched off.' : probe.works ? null : probe.why;
  if (why === null) return;
  const [, name = ''] = agent.split(':', 2);
  throw new NotHeld(
    `${agent} does things by itself and cannot be held here. ${why} To let it work all the same: planwright project set --ungated ${name}`,
  );
}

function sandboxOf({ places, env }: TaskDriving, workspace: string): SandboxPolicy {
  const home = homeOf(env);
  return {
    ...{ workspace, grants: {}, home, caches: packageCaches(home, env), configDir: dirname(places.rules) },
    // With PLANWRIGHT_HOME the configuration lies beside the store: the folder that holds both is hidden.
    storeDir: env['PLANWRIGHT_HOME'] ? dirname(places.data) : places.data,
  };
}

/** Real paths that are there: a sandbox lets nothing else be written. */
function written(path: string, home: string): string[] {
  const whole = path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
  return existsSync(whole) ? [realpathSync(whole)] : [];
}

/** As programs look for a proxy; what is on this machine is reached without one. */
function proxied(port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY'];
  return {
    ...Object.fromEntries(names.map((name) => [name, url])),
    ...{ NO_PROXY: 'localhost,127.0.0.1', no_proxy: 'localhost,127.0.0.1', NODE_USE_ENV_PROXY: '1' },
  };
}

/** Of the person's secrets those that the program is to have: its own login, and no other. */
function programEnvironment({ env }: TaskDriving, { variables = [] }: AgentProgram): Record<string, string> {
  const plain = withoutSecrets(env, '');
  const own = variables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...baseEnvironment({ ...plain, ...Object.fromEntries(own) }) };
}
