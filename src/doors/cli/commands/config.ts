import { Config, type ConfigKey, configKeys } from '../../../core/contract/index.ts';
import { changedSentence, ownFiles } from '../../app/agreed.ts';
import { checkKey, loadConfig, setConfig } from '../../app/config.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { findPlaces, findWorkspace } from '../../app/places.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
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
    else for (const name of configKeys) print(context, line(name, loaded.values[name], loaded.sources[name]));
    return exitCodes.done;
  },
};

const width = Math.max(...configKeys.map((key) => key.length));

const line = (key: ConfigKey, value: unknown, source: string): string =>
  `${key.padEnd(width)}  ${JSON.stringify(value).padEnd(12)}  ${`(${source})`.padEnd(13)}  ${Config.shape[key].description ?? ''}`;
