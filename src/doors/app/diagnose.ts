import { type Correction, itemAt, type RunState } from '../../core/contract/index.ts';
import { sessionOf } from '../../core/run/index.ts';
import {
  type Brain,
  chainBrains,
  createRulesBrain,
  emptyContext,
  type Failure,
} from '../../mind/brain/index.ts';
import { createProbe, nullProbe } from '../../mind/brain/probe/index.ts';
import type { Env } from './places.ts';

/** The brain that needs no key and no network, looking at the world where a step ran. */
export const offlineBrain = (env: Env): Brain =>
  chainBrains([createRulesBrain({ probeAt: (cwd, changed) => createProbe({ cwd, env, changed }) })]);

/** The same for failures from elsewhere: it looks at nothing but the folder that a failure names, and runs nothing. */
export const batchBrain = (): Brain =>
  chainBrains([
    createRulesBrain({
      probeAt: (cwd) => {
        const { which, programs, packagesOf, git, listener, units, hasEnv, envNames, isRoot } = nullProbe;
        const here = createProbe({ cwd, env: {} });
        return { ...here, which, programs, packagesOf, git, listener, units, hasEnv, envNames, isRoot };
      },
    }),
  ]);

/** What the brain makes of the step that failed in a run; null where none failed, or where it is not sure. */
export async function diagnoseRun(brain: Brain, state: RunState): Promise<Correction | null> {
  const at = state.steps.findIndex(({ status }) => status === 'failed');
  const step = state.plan?.steps[at];
  const result = itemAt(state.steps, at)?.result;
  if (step === undefined || result === undefined || result === null) return null;
  const failure: Failure = {
    step: {
      title: step.title,
      action: step.action,
      ...(step.expects === undefined ? {} : { expects: step.expects }),
    },
    result: {
      exitCode: result.exitCode,
      stdoutTail: result.stdoutTail,
      stderrTail: result.stderrTail,
      why: result.why ?? 'exit-code',
    },
    earlier: [],
    cwd: sessionOf(state, step).cwd,
    env: { ...state.session.env, ...step.env },
    shell: state.plan!.shell,
    goal: state.plan!.goal,
  };
  return brain.analyzeFailure(failure, emptyContext);
}
