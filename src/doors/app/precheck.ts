import type { Performer } from '../../core/run/index.ts';
import { createProbe, precheck, type StepProbe } from '../../mind/brain/probe/index.ts';
import type { Env } from './places.ts';

/**
 * Looks, before a step is attempted, whether what it needs is there: files, its command, its port. Only looks; what it
 * does not know is no warning. In agentic mode the brain is asked before the step is tried.
 */
export const withPrecheck = (performer: Performer, env: Env): Performer => ({
  ...performer,
  async judge(work, signal) {
    const { session, step } = work;
    const [judged, warnings] = await Promise.all([
      performer.judge(work, signal),
      precheck(step, probeAt(session.cwd, env, session.env)).catch(() => []),
    ]);
    return warnings.length === 0 ? judged : { ...judged, warnings };
  },
});

function probeAt(cwd: string, env: Env, changed: Record<string, string | null>): StepProbe {
  const probe = createProbe({ cwd, env, changed });
  const known = <T>(answer: T | null, yes: (answer: T) => boolean) => (answer === null ? null : yes(answer));
  return {
    exists: async (path) => known(await probe.kind(path), (kind) => kind !== 'absent'),
    commandExists: async (name) => known(await probe.which(name), (found) => found !== false),
    isPortFree: async (port) => known(await probe.listener(port), (found) => found === 'free'),
  };
}
