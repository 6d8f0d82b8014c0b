import { examine } from '../../app/doctor.ts';
import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { print, printJson } from '../context.ts';

export const command: CommandCode = {
  async run(context, given) {
    atMost(given, 0);
    const findings = await examine({ env: context.env, cwd: context.cwd });
    if (given.flag('json')) printJson(context, findings);
    else
      for (const { name, ok, needed, detail } of findings) {
        print(context, `${ok ? 'ok  ' : needed ? 'FAIL' : 'miss'}  ${name.padEnd(12)}  ${detail}`);
      }
    return findings.some(({ ok, needed }) => needed && !ok) ? exitCodes.failed : exitCodes.done;
  },
};
