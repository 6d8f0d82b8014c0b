import { describeRule } from '../../../core/risk/policy/index.ts';
import { changedSentence } from '../../app/agreed.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { findPlaces, findWorkspace } from '../../app/places.ts';
import { loadRules, removeUserRule } from '../../app/rules.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { mustDecide } from '../decide.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [verb = 'list', id] = atMost(given, 2);
    const places = findPlaces(context.env);
    if (verb === 'remove' && id !== undefined) {
      await mustDecide(context, 'rules remove');
      if (!(await removeUserRule(places, id)))
        throw new AppError('usage', `there is no rule ${id} in ${places.rules}`);
      note(context, `Removed ${id}.`);
      return exitCodes.done;
    }
    if (verb !== 'list') throw new AppError('usage', `usage: planwright ${given.usage}`);
    const changed = changedSentence(places, [places.rules], 'planwright trust --own');
    if (changed !== null) note(context, changed);
    const rules = loadRules({ places, workspace: findWorkspace(context.cwd, given.text('workspace')) });
    if (given.flag('json')) printJson(context, rules);
    else if (rules.length === 0) note(context, `No rules. They are kept in ${places.rules}`);
    else for (const rule of rules) print(context, describeRule(rule));
    return exitCodes.done;
  },
};
