import type { EventOf } from '../events.ts';
import type { StepResult } from '../result.ts';
import type { RunState, ServiceState } from './state.ts';
import { planStep, withStep } from './steps.ts';

/** What steps leave behind in a run: values, items of loops, services, processes that outlive them. All pure. */

export function frozen(state: RunState, { stepId, count }: EventOf<'loop-frozen'>): RunState {
  const action = planStep(state, stepId)?.action;
  const list = action?.kind === 'for-each' ? state.values[action.list] : null;
  return withStep(state, stepId, { loop: { items: Array.isArray(list) ? list : null, count, done: 0 } });
}

/** What an attempt leaves behind in the run: values, services, processes that outlive it. */
export function kept(next: RunState, before: RunState, result: StepResult): RunState {
  const { captured, service, leftover } = result;
  const flight = before.inFlight;
  const group = flight?.spawned?.group;
  let { values, services, groups } = next;
  if (captured !== undefined) values = { ...values, [captured.key]: captured.value };
  if (service !== undefined) {
    services = services.filter(({ name }) => name !== service.name);
    if (service.state === 'started' && group !== undefined && flight !== null) {
      const { stepId, attemptIndex } = flight;
      const { name, keep } = service;
      services = [
        ...services,
        { name, stepId, attemptIndex, group, keep, status: 'running', epoch: next.epoch },
      ];
    }
  } else if (leftover && group !== undefined) groups = [...groups, group];
  return { ...next, values, services, groups };
}

export const surveyed = (state: RunState, gone: string[]): RunState => ({
  ...state,
  services: state.services.map((service) => ({
    ...service,
    epoch: state.epoch,
    status: gone.includes(service.name) ? 'gone' : service.status,
  })),
});

export const stopped = (state: RunState, ended: string[]): RunState => ({
  ...state,
  services: state.services.map(
    (s): ServiceState => (ended.includes(s.name) ? { ...s, status: 'stopped' } : s),
  ),
});

export const released = (state: RunState, ended: string[]): RunState => ({
  ...stopped(state, ended),
  groups: [],
  hasStrays: false,
});
