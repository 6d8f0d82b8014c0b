import {
  type ModelCallEnd,
  type ModelName,
  ModelRole,
  noSpending,
  printModelName,
} from '../../../core/contract/index.ts';
import { costWords, duration } from '../../../core/contract/told/index.ts';
import { createLedger } from '../../../core/stream/index.ts';
import type { FoundProvider, Models } from '../../../world/models/index.ts';
import type { App } from '../../app/app.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [verb, name] = atMost(given, 2);
      const models = await app.models();
      if (verb === undefined) return list(app, models, context, given);
      if (verb !== 'test') throw new AppError('usage', `usage: planwright ${given.usage}`);
      const { values } = app.config;
      const limits = { money: values['limits.money'], tokens: values['limits.tokens'] };
      return test(models, context, given, await named(models, name), limits);
    }),
};

async function chainsOf(models: Models): Promise<[ModelRole, string[]][]> {
  return Promise.all(
    ModelRole.options.map(
      async (role): Promise<[ModelRole, string[]]> => [
        role,
        (await models.chainOf(role)).map(printModelName),
      ],
    ),
  );
}

async function list(app: App, models: Models, context: Context, given: Given): Promise<ExitCode> {
  const [providers, chains, scores] = await Promise.all([models.list(), chainsOf(models), app.modelScores()]);
  if (given.flag('json')) {
    printJson(context, { providers, chains: Object.fromEntries(chains), scores });
    return exitCodes.done;
  }
  for (const provider of providers) print(context, line(provider));
  print(context, '');
  for (const [role, names] of chains)
    print(context, `${role.padEnd(10)}  ${names.join(', then ') || 'nobody'}`);
  if (scores.length > 0) print(context, '');
  for (const { role, model, accepted, asked } of scores)
    print(context, `${role.padEnd(10)}  ${model}: ${accepted} of ${asked} answers could be used`);
  if (chains.every(([, names]) => names.length === 0))
    note(
      context,
      '\nThere is no model to ask. Plans and runbooks run without one, and the rules mend the usual failures.',
    );
  return exitCodes.done;
}

const line = ({ provider, isUsable, why, host }: FoundProvider): string =>
  `${isUsable ? 'ok  ' : 'miss'}  ${provider.padEnd(10)}  ${why}${isUsable && host !== '' ? `, at ${host}` : ''}`;

/** The one that is named, or the first of each role. */
async function named(models: Models, name: string | undefined): Promise<ModelName[]> {
  const firsts = async () =>
    (await Promise.all(ModelRole.options.map((role) => models.chainOf(role)))).flatMap((chain) =>
      chain.slice(0, 1),
    );
  const parse = (text: string): ModelName => {
    const at = text.indexOf('/');
    if (at < 1 || at === text.length - 1)
      throw new AppError('usage', `a model is named PROVIDER/MODEL, not ${JSON.stringify(text)}`);
    return { provider: text.slice(0, at), model: text.slice(at + 1) };
  };
  const all = name === undefined ? await firsts() : [parse(name)];
  return [...new Map(all.map((one) => [printModelName(one), one])).values()];
}

async function test(
  models: Models,
  context: Context,
  given: Given,
  names: ModelName[],
  limits: { money: number; tokens: number },
): Promise<ExitCode> {
  if (names.length === 0) throw new AppError('no-model', 'there is no model to test: see planwright models');
  const ledger = createLedger({ record: async () => true, spending: noSpending, limits });
  const { signal } = new AbortController();
  // A wait between two tries must not end the program.
  const awake = setInterval(() => {}, 60_000);
  const results = [];
  try {
    for (const name of names) {
      const answer = await models.test(name, ledger, signal);
      results.push({ model: printModelName(name), ...answer });
      if (given.flag('json')) continue;
      if (answer.ok) print(context, `ok    ${printModelName(name)}  ${duration(answer.ms)}, ${cost(answer)}`);
      else print(context, `FAIL  ${printModelName(name)}  ${answer.why}: ${answer.message}`);
    }
  } finally {
    clearInterval(awake);
  }
  if (given.flag('json')) printJson(context, results);
  return results.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed;
}

const cost = (answer: Pick<ModelCallEnd, 'usage' | 'usd'>): string =>
  answer.usage === null ? 'tokens not counted' : costWords(answer);
