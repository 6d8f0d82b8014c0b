import type { Shell } from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { findSecretLiteral } from '../../core/risk/secrets/index.ts';
import { type Assessment, assessDraft, plannedActions } from '../../mind/planner/index.ts';
import { workspaceFacts } from './facts.ts';
import type { Env } from './places.ts';

/** What became of a planner's raw answer, for people and scripts. */
export async function assessAnswer(
  raw: string,
  { workspace, env, shell }: { workspace: string; env: Env; shell: Shell },
) {
  const assessed = await assessDraft(raw, {
    goal: 'a goal',
    shell,
    facts: workspaceFacts(workspace, env),
    findSecret: findSecretLiteral,
    allowedActions: plannedActions,
    place: { workspace, cwd: workspace },
  });
  return report(assessed);
}

function report(assessed: Assessment) {
  switch (assessed.is) {
    case 'unreadable': {
      const { message } = assessed;
      const hint = 'Answer with one JSON object between <json> and </json>.';
      const reasons = [{ code: 'not-json', message, hint }];
      return { outcome: 'rejected' as const, repairs: [], reasons, warnings: [] };
    }
    case 'rejected':
      return { outcome: 'rejected' as const, repairs: assessed.how, reasons: assessed.reasons, warnings: [] };
    case 'question': {
      const { question, how } = assessed;
      return { outcome: 'question' as const, repairs: how, reasons: [], question, warnings: [] };
    }
    case 'accepted': {
      const { plan, how, warnings, verdicts } = assessed;
      const steps = plan.steps.map(({ title, action }, index) => ({
        title,
        action: printAction(action),
        risk: verdicts[index]!.level,
      }));
      const outcome = how.length > 0 ? ('repaired' as const) : ('accepted' as const);
      return { outcome, repairs: how, reasons: [], steps, warnings };
    }
  }
}
