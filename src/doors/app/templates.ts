import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Shell } from '../../core/contract/index.ts';
import { nearest } from '../../core/plan/nearest.ts';
import { chooseTemplate, type Match, parseTemplate, type Template } from '../../core/plan/templates/index.ts';
import { AppError } from './errors.ts';

/** They come with the package. */
const FOLDER = fileURLToPath(new URL('../../../templates/', import.meta.url));

export function loadTemplates(folder = FOLDER): Template[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted();
  return files.map((file) => {
    const path = join(folder, file);
    const read = parseTemplate(file.slice(0, -5), readFileSync(path, 'utf8'), path);
    if (!read.ok) throw new Error(`the template ${file} is broken: ${read.problems[0]?.message}`);
    return read.template;
  });
}

/** Where a template is read from, to be run as the plan file that it is. */
export const templateFile = ({ name }: Template): string => join(FOLDER, `${name}.yaml`);

export function findTemplate(name: string, templates = loadTemplates()): Template {
  const found = templates.find((template) => template.name === name);
  if (found !== undefined) return found;
  const near = nearest(
    name,
    templates.map((template) => template.name),
  );
  const hint = near === null ? 'planwright templates lists them' : `did you mean ${near}?`;
  throw new AppError('no-such-template', `there is no template ${JSON.stringify(name)}; ${hint}`);
}

/** The template that a goal in words is about. Throws, with what to do instead, where none is or several are. */
export function templateFor(goal: string, templates = loadTemplates()): Template {
  const chosen = chooseTemplate(goal, templates);
  if (chosen.ok) return chosen.template;
  const names = chosen.near.map(({ template }: Match) => template.name);
  const free = 'to plan freely, configure a model: planwright models';
  if (names.length > 1) {
    const which = `this could be ${names.join(' or ')}`;
    throw new AppError('no-plan', `${which}: planwright templates run NAME; ${free}`);
  }
  const near =
    names.length === 1
      ? `the nearest template is ${names[0]} (planwright templates run ${names[0]})`
      : 'no template is about this';
  throw new AppError(
    'no-plan',
    `there is no model to plan with, and ${near}; ${free}; planwright templates lists what works without`,
  );
}

/** Throws where a template would be another shell's than was asked for: nobody is given bash for PowerShell in silence. */
export function assertTemplatesFit(shell: Shell): void {
  if (shell === 'bash') return;
  const free = 'to plan for PowerShell, configure a model: planwright models';
  throw new AppError('no-plan', `there is no model to plan with, and templates are for bash; ${free}`);
}
