import { shellText } from '../../contract/index.ts';
import { type BashCommand, pwshCommands } from '../../shell/index.ts';
import type { Problem } from '../problem.ts';
import { neverEnds, type Wait, waitOf, waitOfPwsh } from './interactive.ts';
import { type PlanRule, type PlanView, problemOf } from './rule.ts';

/** No step waits for a terminal that nobody sits at, unless it says so; none goes on for ever. */
export const waits: PlanRule = (view) =>
  view.steps.flatMap((each) => {
    if (each.step.interactive === true) return [];
    return each.actions.flatMap(({ action }): Problem[] => {
      const text = shellText(action);
      if (text === null) return [];
      if (view.plan.shell === 'pwsh') {
        const found = pwshCommands(text).commands.map(({ words }) => waitOfPwsh(words));
        return report(each, found);
      }
      const { commands, functions } = view.bash(text);
      const own = commands.filter((command) => command.literal && !functions.has(command.words[0] ?? ''));
      const problems = report(each, own.map(waitOf));
      return action.kind === 'start' ? problems : [...problems, ...endless(each, own)];
    });
  });

/** The first of each severity: one step has one thing to change. */
function report(view: PlanView['steps'][number], found: readonly (Wait | null)[]): Problem[] {
  const waitsFound = found.filter((wait) => wait !== null);
  const first = waitsFound.find((wait) => wait.sure) ?? waitsFound[0];
  if (first === undefined) return [];
  const message = first.sure ? `${first.why}, and no terminal is there.` : `${first.why}.`;
  const mend = `${first.mend} Or mark the step \`interactive: true\`.`;
  return [problemOf(view, 'waits-for-terminal', first.sure ? 'error' : 'warning', message, mend)];
}

function endless(view: PlanView['steps'][number], commands: readonly BashCommand[]): Problem[] {
  const last = commands.at(-1);
  const background = commands.find((command) => command.background);
  if (background !== undefined && background === last) {
    const message = `\`${background.words[0] ?? ''}\` is left in the background.`;
    return [
      problemOf(
        view,
        'use-start',
        'warning',
        message,
        'Use START name command: then it is watched, and ended.',
      ),
    ];
  }
  const found = commands.find((command) => !command.background && neverEnds(command));
  if (found === undefined) return [];
  const message = `\`${found.words.slice(0, 3).join(' ')}\` does not end by itself.`;
  return [
    problemOf(view, 'use-start', 'warning', message, 'Use START name command for a service, or bound it.'),
  ];
}
