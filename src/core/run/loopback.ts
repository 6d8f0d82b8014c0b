import { planStep, type RunState } from '../contract/index.ts';
import { parseExpects } from '../plan/index.ts';

const ownUrl = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)(?:\/|$)/;

/** Ports on which the running services of a run have promised to listen. */
export function portsOf(state: RunState): number[] {
  const ports = state.services
    .filter(({ status }) => status === 'running')
    .flatMap(({ stepId }) => {
      const promised = parseExpects(planStep(state, stepId)?.expects ?? '');
      if (promised?.kind === 'port') return promised.open ? promised.port : [];
      const port = promised?.kind === 'url' ? ownUrl.exec(promised.url)?.[1] : undefined;
      return port === undefined ? [] : Number(port);
    });
  return [...new Set(ports)];
}
