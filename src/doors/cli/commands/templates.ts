import { readFileSync } from 'node:fs';
import type { Template } from '../../../core/plan/templates/index.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { findTemplate, loadTemplates, templateFile } from '../../app/templates.ts';
import { atMost, type CommandCode } from '../command.ts';
import { type Context, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { aboutBelow } from '../render/about-below.ts';
import { runFile } from './run.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [verb = 'list', name] = atMost(given, 2);
    if (verb === 'list' && name === undefined) {
      list(context, given.flag('json'));
      return exitCodes.done;
    }
    if ((verb !== 'show' && verb !== 'run') || name === undefined) {
      throw new AppError('usage', `usage: planwright ${given.usage}`);
    }
    const template = findTemplate(name);
    if (verb === 'run') return runFile(context, given, templateFile(template));
    if (given.flag('json')) printJson(context, template);
    else print(context, readFileSync(templateFile(template), 'utf8').trimEnd());
    return exitCodes.done;
  },
};

function list(context: Context, json: boolean): void {
  const templates = loadTemplates();
  if (json) {
    const row = ({ name, about, keywords, plan }: Template) => ({
      name,
      about,
      keywords,
      inputs: plan.inputs ?? [],
      steps: plan.steps.length,
    });
    printJson(context, templates.map(row));
    return;
  }
  const width = Math.max(...templates.map(({ name }) => name.length));
  const rows = templates.map(({ name, about }) => ({ head: name.padEnd(width), about }));
  print(context, aboutBelow(rows, lookOf(context, 'stdout')).join('\n'));
}
