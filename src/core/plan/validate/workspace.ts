import { PATH_USES, pathsOf, shellText } from '../../contract/index.ts';
import { functionsIn, isBuiltin } from '../../shell/index.ts';
import type { Problem } from '../problem.ts';
import { findPlaceholders } from '../substitute/placeholders.ts';
import type { WorkspaceFacts } from './facts.ts';
import { type CheckedStep, type PlanView, problemOf } from './rule.ts';

/** What a step reads is there, unless an earlier step may have made it. */
export async function missingFiles({ steps }: PlanView, facts: WorkspaceFacts): Promise<Problem[]> {
  const problems: Problem[] = [];
  const made = madePaths();
  for (const view of steps) {
    const main = view.actions.find((each) => each.role === 'do');
    if (main === undefined) continue;
    // After a command anything may be there.
    if (shellText(main.action) !== null || main.action.kind === 'call-tool' || main.action.kind === 'manual')
      break;
    const paths = pathsOf(main.action);
    for (const { path, use } of paths) {
      const isKnown = findPlaceholders(path).length === 0;
      if (!PATH_USES[use].needed || !isKnown || made.has(path) || (await facts.exists(path))) continue;
      const message = `\`${path}\` does not exist, and no earlier step makes it.`;
      problems.push(problemOf(view, 'missing-file', 'warning', message, 'Check the path.'));
    }
    if (main.action.kind !== 'create-dir')
      for (const { path, use } of paths) {
        const folder = parentsOf(clean(path)).at(-1);
        if (!PATH_USES[use].produced || folder === undefined || findPlaceholders(folder).length > 0) continue;
        if (made.has(folder) || (await facts.exists(folder))) continue;
        const message = `There is no folder \`${folder}\` for \`${path}\`, and no earlier step makes it.`;
        problems.push(
          problemOf(view, 'missing-folder', 'warning', message, `Put CREATE_DIR ${folder} before it.`),
        );
      }
    for (const { path, use } of paths) if (PATH_USES[use].produced) made.add(path);
  }
  return problems;
}

/** Paths that steps make, with all above and below them. Once one has a placeholder, any path may be made. */
function madePaths() {
  const paths = new Set<string>();
  const above = new Set<string>();
  let any = false;
  return {
    add(path: string) {
      any ||= findPlaceholders(path).length > 0;
      paths.add(clean(path));
      for (const parent of parentsOf(clean(path))) above.add(parent);
    },
    has(path: string): boolean {
      const wanted = clean(path);
      return (
        any || paths.has(wanted) || above.has(wanted) || parentsOf(wanted).some((parent) => paths.has(parent))
      );
    },
  };
}

function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, 64);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

const clean = (path: string) => path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');

/** Commands that cannot be found, unless an earlier command may have installed them; each once, where it is first needed. */
export async function missingCommands(view: PlanView, facts: WorkspaceFacts): Promise<Problem[]> {
  if (facts.commandExists === undefined || view.plan.shell !== 'bash') return [];
  const found = new Map<string, { first: CheckedStep; mend: string; steps: Set<number> }>();
  const answers = new Map<string, boolean>();
  const defined = new Set<string>();
  let installs = false;
  for (const each of view.steps) {
    for (const { action } of each.actions) {
      const text = shellText(action);
      if (text === null) continue;
      for (const name of Object.keys(functionsIn(text))) defined.add(name);
      for (const name of await missingIn(view, text, answers, facts)) {
        if (defined.has(name)) continue;
        const mend = installs
          ? 'Fine if an earlier step installs it.'
          : 'Install it first, or check its name.';
        const known = found.get(name) ?? { first: each, mend, steps: new Set() };
        known.steps.add(each.index);
        found.set(name, known);
      }
      installs ||= /\b(?:install|activate|add|setup|build|make|export PATH)\b/.test(text);
    }
  }
  return [...found].map(([name, { first, mend, steps }]) => {
    const more = steps.size - 1;
    const others = more === 0 ? '' : ` ${more} more ${more === 1 ? 'step needs' : 'steps need'} it.`;
    const message = `there is no command \`${name}\` here.${others}`;
    return problemOf(first, 'command-not-found', 'warning', message, mend);
  });
}

async function missingIn(
  view: PlanView,
  text: string,
  answers: Map<string, boolean>,
  facts: WorkspaceFacts,
): Promise<string[]> {
  const { commands, functions, error } = view.bash(text);
  if (error !== null) return [];
  const missing = new Set<string>();
  for (const { words, literal } of commands) {
    const name = words[0] ?? '';
    if (!literal || !/^[\w.+-]+$/.test(name) || isBuiltin(name) || functions.has(name)) continue;
    let answer = answers.get(name);
    if (answer === undefined) {
      answer = (await facts.commandExists?.(name)) ?? true;
      answers.set(name, answer);
    }
    if (!answer) missing.add(name);
  }
  return [...missing];
}
