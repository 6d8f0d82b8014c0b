import { exitCodes } from '../../app/errors.ts';
import { findPlaces, findWorkspace } from '../../app/places.ts';
import { setTrust, trustedFolders } from '../../app/trust.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { mustDecide } from '../decide.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [dir] = atMost(given, 1);
    const { trust } = findPlaces(context.env);
    if (given.flag('list')) {
      const folders = trustedFolders(trust);
      if (given.flag('json')) printJson(context, folders);
      else for (const folder of folders) print(context, folder);
      return exitCodes.done;
    }
    const folder = findWorkspace(context.cwd, dir);
    await mustDecide(context, 'trust');
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
