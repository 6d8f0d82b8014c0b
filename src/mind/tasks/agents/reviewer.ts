import { type Agent, createStops, failedRun } from '../agent.ts';

/**
 * An agent that reviews and does nothing else, by whoever of these is there first. What it says is read for
 * `REVIEW_VERDICT: APPROVED | CHANGES_REQUESTED` and its numbered comments, as of every agent in this mode.
 */
export function createReviewer(type: string, reviewers: readonly Agent[]): Agent {
  const stops = createStops();
  const first = async (): Promise<Agent | null> => {
    for (const agent of reviewers) if (await agent.isAvailable()) return agent;
    return null;
  };
  return {
    type,
    isAvailable: async () => (await first()) !== null,
    stop: stops.stop,
    async execute(context, ...rest) {
      if (context.mode !== 'review')
        return failedRun('unavailable', `${type} reviews, and does nothing else: not ${context.mode}`);
      const signal = stops.begin(context.run);
      try {
        const agent = await first();
        if (agent === null) return failedRun('unavailable', 'there is nobody who could review it');
        if (signal.aborted) return failedRun('stopped', 'it was stopped');
        signal.addEventListener('abort', () => void agent.stop(context.run), { once: true });
        return await agent.execute(context, ...rest);
      } finally {
        stops.end(context.run);
      }
    },
  };
}
