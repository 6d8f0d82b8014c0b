import { exitCodes, findPlaces, findWorkspace, setTrust, trustedFolders } from '../../app/index.ts';
import { atMost, type Command } from '../command.ts';
import { note, print, printJson } from '../context.ts';

export const command: Command = {
  usage: '[DIR] [options]',
  options: {
    remove: { type: 'boolean', about: 'Trust it no longer' },
    list: { type: 'boolean', about: 'Print the trusted folders' },
    json: { type: 'boolean', about: 'Print JSON' },
  },
  async run(context, given) {
    const [dir] = atMost(given, 1, `trust ${command.usage}`);
    const { trust } = findPlaces(context.env);
    if (given.flag('list')) {
      const folders = trustedFolders(trust);
      if (given.flag('json')) printJson(context, folders);
      else for (const folder of folders) print(context, folder);
      return exitCodes.done;
    }
    const folder = findWorkspace(context.cwd, dir);
    setTrust(trust, folder, !given.flag('remove'));
    note(
      context,
      given.flag('remove')
        ? `${folder} is trusted no longer.`
        : `${folder} is trusted: its configuration is used.`,
    );
    return exitCodes.done;
  },
};
