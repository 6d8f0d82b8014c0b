import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  AgentMode,
  type AgentProgram,
  Pipeline,
  type ProjectSettings,
} from '../../../core/contract/tasks/index.ts';
import { AppError } from '../../app/errors.ts';
import { fitting } from '../../app/tasks/index.ts';
import { type Given, wholeNumber } from '../command.ts';
import type { Context } from '../context.ts';

/** What the options of `project` say about a project. */
export async function settingsIn(
  context: Context,
  given: Given,
  before: Pick<ProjectSettings, 'programs'>,
): Promise<Partial<ProjectSettings>> {
  const put = <K extends keyof ProjectSettings>(key: K, value: ProjectSettings[K] | undefined) =>
    value === undefined ? {} : { [key]: value };
  const several = (name: string) => (given.list(name).length === 0 ? undefined : given.list(name));
  return {
    ...put('baseBranch', given.text('base')),
    ...put('remote', given.text('remote')),
    ...put('gitSource', given.text('source')),
    ...put('setupCommands', several('setup')),
    ...put('validationCommands', several('validate')),
    ...put('maxAgents', wholeNumber(given, 'max-agents')),
    ...put('maxValidationRetries', wholeNumber(given, 'validation-retries')),
    ...put('maxReviewRounds', wholeNumber(given, 'review-rounds')),
    ...put('moneyPerRun', dollars(given, 'money-per-run')),
    ...put('moneyPerTask', dollars(given, 'money-per-task')),
    ...put('moneyPerProject', dollars(given, 'money-per-project')),
    ...put('minutesPerRun', wholeNumber(given, 'minutes-per-run')),
    ...put('minutesPerTask', wholeNumber(given, 'minutes-per-task')),
    ...put('minutesPerProject', wholeNumber(given, 'minutes-per-project')),
    ...put('agents', agentsIn(given)),
    ...put('programs', await programsIn(given, before)),
    ...put('pipeline', pipelineIn(context, given)),
  };
}

function dollars(given: Given, name: string): number | undefined {
  const value = given.text(name);
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(value))
    throw new AppError('usage', `--${name} takes dollars, not ${JSON.stringify(value)}`);
  return Number(value);
}

function agentsIn(given: Given): ProjectSettings['agents'] {
  const named = given.list('agent');
  if (named.length === 0) return undefined;
  return Object.fromEntries(
    named.map((one) => {
      const [first, second] = one.split('=', 2) as [string, string?];
      if (second === undefined) return ['default', first];
      if (first === 'default' || AgentMode.safeParse(first).success) return [first, second];
      throw new AppError(
        'usage',
        `--agent: there is no mode ${first}; there are ${AgentMode.options.join(', ')}`,
      );
    }),
  );
}

/** What is said of a program is put to what is known of it; a new command line begins anew, and takes a consent back. */
async function programsIn(
  given: Given,
  { programs = {} }: Pick<ProjectSettings, 'programs'>,
): Promise<ProjectSettings['programs']> {
  const pairs = (option: string) =>
    given.list(option).map((one) => {
      const [, name, value] = /^([\w.-]+)=(.+)$/s.exec(one) ?? [];
      if (name === undefined || value === undefined)
        throw new AppError('usage', `--${option} takes NAME=…, not ${JSON.stringify(one)}`);
      return { name, value };
    });
  const said = [...pairs('program'), ...pairs('host'), ...pairs('writes'), ...pairs('variable')];
  const named = new Set([...said.map(({ name }) => name), ...given.list('ungated')]);
  if (named.size === 0) return undefined;
  const { programOf } = await import('../../../core/tasks/index.ts');
  const of = (option: string, name: string) =>
    pairs(option).flatMap((pair) => (pair.name === name ? [pair.value] : []));
  const changed = [...named].map((name) => {
    const command = of('program', name).at(-1);
    const known: AgentProgram | undefined =
      command === undefined ? programOf(`acp:${name}`, { programs }) : { command };
    if (known === undefined)
      throw new AppError('usage', `what starts ${name}? --program ${name}=COMMAND says it`);
    const more = (key: 'hosts' | 'writes' | 'variables', option: string) => {
      const all = [...(known[key] ?? []), ...of(option, name)];
      return all.length === 0 ? {} : { [key]: all };
    };
    return [
      name,
      {
        ...{ ...known, ...more('hosts', 'host'), ...more('writes', 'writes') },
        ...more('variables', 'variable'),
        ...(given.list('ungated').includes(name) ? { ungated: true } : {}),
      },
    ] as const;
  });
  return { ...programs, ...Object.fromEntries(changed) };
}

function pipelineIn({ cwd }: Context, given: Given): Pipeline | undefined {
  const file = given.text('pipeline');
  if (file === undefined) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (cause) {
    throw new AppError('file-unreadable', `${file} cannot be read as JSON`, { cause });
  }
  // An editor is told by it what may stand where.
  const { $schema: _, ...pipeline } = { $schema: null, ...(data as object) };
  try {
    return fitting(Pipeline, pipeline);
  } catch (cause) {
    throw new AppError('usage', `${file} is no pipeline: ${(cause as Error).message}`, { cause });
  }
}

/** With those that are there: each is set, or taken back, by itself. */
export function templatesIn(
  { cwd }: Context,
  given: Given,
  settings: ProjectSettings | null,
): Pick<ProjectSettings, 'templates'> {
  const said = given.list('template');
  if (said.length === 0) return {};
  const templates = new Map(Object.entries(settings?.templates ?? {}));
  for (const one of said) {
    const [, mode = '', file] = /^([^=]+)=(.*)$/s.exec(one) ?? [];
    if (!AgentMode.safeParse(mode).success || file === undefined)
      throw new AppError(
        'usage',
        `--template takes MODE=FILE; the modes are ${AgentMode.options.join(', ')}`,
      );
    if (file === '') templates.delete(mode);
    else {
      try {
        templates.set(mode, readFileSync(resolve(cwd, file), 'utf8'));
      } catch (cause) {
        throw new AppError('file-unreadable', `${file} cannot be read`, { cause });
      }
    }
  }
  return { templates: Object.fromEntries(templates) as NonNullable<ProjectSettings['templates']> };
}
