import { agreeTo, ownFiles } from '../../app/agreed.ts';
import { exitCodes } from '../../app/errors.ts';
import { findPlaces, findWorkspace } from '../../app/places.ts';
import { setTrust, trustedFolders } from '../../app/trust.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { mustDecide } from '../decide.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [dir] = atMost(given, 1);
    const places = findPlaces(context.env);
    if (given.flag('list')) {
      const folders = trustedFolders(places);
      if (given.flag('json')) printJson(context, folders);
      else if (folders.length === 0) note(context, 'No folder is trusted.');
      else for (const folder of folders) print(context, folder);
      return exitCodes.done;
    }
    await mustDecide(context, 'trust');
    if (given.flag('own')) {
      await agreeTo(places, ownFiles(places));
      note(context, `What you keep is used as it is now: ${ownFiles(places).join(', ')}`);
      return exitCodes.done;
    }
    const folder = findWorkspace(context.cwd, dir);
    await setTrust(places, folder, !given.flag('remove'));
    note(
      context,
      given.flag('remove')
        ? `${folder} is trusted no longer.`
        : `${folder} is trusted: its configuration and its rules are used as they are now.`,
    );
    const servers = given.flag('remove') ? [] : await (await import('../../app/mcp.ts')).serversIn(folder);
    if (servers.length > 0) {
      const { cleanOutput } = await import('../render/text/clean.ts');
      note(context, 'Conversations and plans here may start or call these servers of tools:');
      for (const line of servers) note(context, `  ${cleanOutput(line)}`);
    }
    return exitCodes.done;
  },
};
