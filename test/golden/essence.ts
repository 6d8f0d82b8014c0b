import type { RunState } from '../../src/core/contract/index.ts';

/** What a person would say a run came to. Later versions may know more about a run, never something else. */
export const essence = (state: RunState) => ({
  status: state.status,
  ended: state.ended,
  stopReason: state.stopReason,
  planHash: state.planHash,
  revision: state.plan?.revision ?? null,
  cwd: state.session.cwd,
  values: state.values,
  epoch: state.epoch,
  inFlight: state.inFlight === null ? null : [state.inFlight.stepId, state.inFlight.attemptIndex],
  inbox: state.inbox.map(({ seq }) => seq),
  approvals: state.approvals.map(({ id, status }) => `${id} ${status}`),
  services: state.services.map(({ name, status }) => `${name} ${status}`),
  steps: state.steps.map(({ id, status, attempts, failures, skipReason, loop }) =>
    [
      id,
      status,
      attempts,
      failures,
      skipReason ?? '-',
      loop === null ? '-' : `${loop.done}/${loop.count}`,
    ].join(' '),
  ),
});

/** Likewise of what it kept to be undone. */
export const undoEssence = ({ ranges, rollback, missingCheckpoint }: RunState) => ({
  ranges: ranges.map(({ stepId, attemptIndex, before, after, unsure }) =>
    [stepId, attemptIndex, before, after ?? '-', unsure ? 'unsure' : 'sure'].join(' '),
  ),
  rollback:
    rollback === null ? null : [rollback.stepId, rollback.done, rollback.restored, rollback.leftCount],
  missingCheckpoint: missingCheckpoint?.code ?? null,
});
