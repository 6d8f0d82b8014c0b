import { Config, configKeys } from '../../../core/contract/index.ts';
import { changedSentence, ownFiles } from '../../app/agreed.ts';
import { checkKey, type LoadedConfig, loadConfig, setConfig } from '../../app/config.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { findPlaces, findWorkspace } from '../../app/places.ts';
import { atMost, type CommandCode } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { mustDecide } from '../decide.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [verb = 'list', key, value] = atMost(given, 3);
    const places = findPlaces(context.env);
    const workspace = findWorkspace(context.cwd, given.text('workspace'));
    if (verb === 'set' || verb === 'unset') await mustDecide(context, `config ${verb}`);
    if (verb === 'set' && key !== undefined && value !== undefined) {
      await setConfig(places, checkKey(key), value);
      note(context, `${key} is now ${value}, in ${places.userConfig}`);
      return exitCodes.done;
    }
    if (verb === 'unset' && key !== undefined) {
      await setConfig(places, checkKey(key), null);
      return exitCodes.done;
    }
    const loaded = loadConfig({ places, env: context.env, workspace });
    if (verb === 'get' && key !== undefined) {
      const found = loaded.values[checkKey(key)];
      const plain = typeof found === 'string' && !given.flag('json');
      print(context, plain ? found : JSON.stringify(found));
      return exitCodes.done;
    }
    if (verb !== 'list') throw new AppError('usage', `usage: planwright ${given.usage}`);
    const changed = changedSentence(places, ownFiles(places), 'planwright trust --own');
    if (changed !== null) note(context, changed);
    if (loaded.untrusted !== null) note(context, `${loaded.untrusted} is not used: planwright trust`);
    if (given.flag('json')) printJson(context, { values: loaded.values, sources: loaded.sources });
    else for (const line of await lines(loaded, context)) print(context, line);
    return exitCodes.done;
  },
};

const widest = Math.max(...configKeys.map((key) => key.length));

/** A pipe gets one line for each. */
async function lines({ values, sources }: LoadedConfig, context: Context): Promise<string[]> {
  const rows = configKeys.map((key) => ({
    head: `${key.padEnd(widest)}  ${JSON.stringify(values[key]).padEnd(12)}  ${`(${sources[key]})`.padEnd(13)}`,
    about: Config.shape[key].description ?? '',
  }));
  if (context.stdout.isTTY !== true) return rows.map(({ head, about }) => `${head}  ${about}`);
  const [{ lookOf }, { aboutBelow }] = await Promise.all([
    import('../look-of.ts'),
    import('../render/about-below.ts'),
  ]);
  return aboutBelow(rows, lookOf(context, 'stdout'));
}
