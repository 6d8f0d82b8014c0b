import { readdirSync } from 'node:fs';
import { chooseTemplate } from '../../core/plan/templates/index.ts';
import { usualPlans } from './plans.ts';
import { loadTemplates } from './templates.ts';

const SHOWN = 6;

/** What can be done without a model about a message: templates that are about it, plans of the folder, commands. */
export function offersFor(message: string, workspace: string): string {
  const templates = loadTemplates();
  const chosen = chooseTemplate(message, templates);
  const near = chosen.ok ? [chosen.template] : chosen.near.map(({ template }) => template);
  const plans = runbooksIn(workspace);
  return [
    'There is no model to talk to: `planwright models` says how to add one. What works without:',
    ...near
      .slice(0, 3)
      .map(
        ({ name, about }) =>
          `- the template ${name} (${about}): \`planwright templates run ${name}\`, or a new run on the page`,
      ),
    ...plans.map((file) => `- ${file} of this folder: say \`/run ${file}\``),
    '- a command: type it after `!`, such as `!npm test`; what fails is explained by rule',
    `- one of ${templates.length} templates: \`planwright templates\`, or a new run on the page`,
  ].join('\n');
}

function runbooksIn(workspace: string): string[] {
  try {
    const names = readdirSync(workspace, { withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && (usualPlans.includes(entry.name) || /\.plan\.ya?ml$/.test(entry.name)),
      )
      .map(({ name }) => name);
    return names.toSorted().slice(0, SHOWN);
  } catch {
    return [];
  }
}
