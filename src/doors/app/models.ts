import { join } from 'node:path';
import {
  type Config,
  initialRunState,
  type ModelName,
  ModelRole,
  printModelName,
  type RunState,
} from '../../core/contract/index.ts';
import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import type { Scores } from '../../core/stream/index.ts';
import type { Acceptance, Chosen, ModelSettings, Models, Price } from '../../world/models/index.ts';
import { systemClock } from '../../world/store/index.ts';
import { loadConfig } from './config.ts';
import { createDebugLog, debugLogPath, entryOf } from './debug-log.ts';
import { AppError } from './errors.ts';
import { readIfThere } from './files.ts';
import type { Env, Places } from './places.ts';

export interface AppModelsOptions {
  places: Places;
  env: Env;
  filterFor(state: RunState): SecretFilter;
  workspace: string;
  /** Where it is known how the models have done. */
  scores?: Scores;
  /** Told once for each model, before anything is sent to it. */
  announce?: (sentence: string) => void;
}

/**
 * The models of this person in this folder. Loaded when it is called, so that what needs no model loads none of it.
 * Settings and keys are read anew for each call: a change holds at once. Throws an AppError where the configuration
 * or the price file is not valid.
 */
export async function openAppModels(options: AppModelsOptions): Promise<Models> {
  const { openModels, createFileRecordings, parseNames, readPrices } = await import(
    '../../world/models/index.ts'
  );
  const { places, env, filterFor, workspace, scores, announce } = options;
  const load = (): Config => loadConfig({ places, env, workspace }).values;
  let config = load();
  const settings = (): ModelSettings => {
    try {
      config = load();
    } catch {
      // A file that is being written: what it said last still holds.
    }
    return settingsOf(config, parseNames);
  };
  const mode = config['models.recording'];
  // What is asked in a run has the secrets of that run hidden before it comes here.
  const filter = filterFor(initialRunState);
  const log = createDebugLog({ path: debugLogPath(places), redact: (text) => filter.text(text) });
  return openModels({
    env,
    settings,
    keyFile: places.keys,
    clock: systemClock,
    prices: ownPrices(config, readPrices),
    recordings: mode === 'off' ? null : createFileRecordings(join(places.data, 'recordings'), mode),
    ...(scores === undefined ? {} : { acceptance: acceptanceFrom(scores) }),
    ...(announce === undefined ? {} : { announce: (chosen) => announce(firstUseSentence(chosen)) }),
    told: (call) => log.write(entryOf(call, systemClock.now())),
  });
}

const acceptanceFrom = (scores: Scores): Acceptance => ({
  rates: async (role) => new Map((await scores.modelScores(role)).map((score) => [score.model, score])),
});

function settingsOf(config: Config, parseNames: (list: string) => ModelName[]): ModelSettings {
  const chains = ModelRole.options.flatMap((role) => {
    const list = config[`models.${role}`];
    return list === null ? [] : [[role, parseNames(list)]];
  });
  return {
    chains: Object.fromEntries(chains),
    url: config['models.url'],
    timeoutMs: config['models.timeout'] * 1000,
  };
}

function ownPrices(
  config: Config,
  read: typeof import('../../world/models/index.ts').readPrices,
): Record<string, Price> {
  const file = config['models.prices'];
  if (file === null) return {};
  const text = readIfThere(file);
  if (text === null) throw new AppError('config-invalid', `models.prices: there is no file ${file}`);
  const prices = read(text);
  if (!prices.ok) throw new AppError('config-invalid', `${file}: ${prices.message}`);
  return prices.prices;
}

const sends: Record<ModelRole, { what: string; areMany: boolean }> = {
  planner: { what: 'The goal and what is known of this folder', areMany: true },
  brain: { what: 'The failed step, its output and what happened before it', areMany: true },
  fast: { what: 'What happened in the run', areMany: false },
  chat: { what: 'The conversation', areMany: false },
};

/** Which model, why, and what goes where: for a person, before it goes there. */
export function firstUseSentence({ role, model, why, host, isLocal }: Chosen): string {
  const { what, areMany } = sends[role];
  const stays = areMany ? 'stay' : 'stays';
  const goes = areMany ? 'are' : 'is';
  const where = isLocal ? `${stays} on this machine (${host})` : `${goes} sent to ${host}`;
  return `Asking ${printModelName(model)}, because ${why}. ${what} ${where}, with secrets hidden.`;
}
