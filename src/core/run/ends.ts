import { committed, type ProcessGroup, type Spending } from '../contract/index.ts';
import type { EndOf, WorkOf } from './work.ts';

/** What some work comes to, in the words of the journal. */

export const released = ({ services }: WorkOf<'release'>, groups: ProcessGroup[]): EndOf<'release'> => ({
  type: 'processes-released',
  groups,
  services: services.map(({ name }) => name),
});

export function stoppedServices({ services, answers }: WorkOf<'stop'>, ended: string[]): EndOf<'stop'> {
  const stuck = services.map(({ name }) => name).filter((name) => !ended.includes(name));
  const left = stuck.length === 0 ? {} : { stuck };
  return { type: 'services-stopped', services: ended, ...left, answers };
}

/** No more calls can be paid for: the run pauses until somebody raises the limit. */
export function spentUp(
  stepId: string,
  limit: 'money' | 'tokens',
  spending: Spending,
  limits: { money: number; tokens: number },
  message = 'the limit of model calls is reached',
): EndOf<'consult'> {
  const { usd, unpricedTokens } = committed(spending);
  const used = limit === 'money' ? usd : unpricedTokens;
  return { type: 'agent-stuck', stepId, limit, used, max: limits[limit], message };
}
