import type { ServiceState } from '../../../core/contract/index.ts';
import { inspectGroup } from '../../process/index.ts';
import type { Tools } from '../tools.ts';
import { endLog } from './stop.ts';

/** How often the logs of running services are looked at. */
const LOOK_MS = 2_000;

/** Keeps the logs of running services from growing for ever, as long as this process lives. */
export interface LogKeeper {
  keep(run: string, service: Pick<ServiceState, 'name' | 'stepId' | 'attemptIndex'>): void;
  forget(run: string, name: string): void;
}

export function createLogKeeper(tools: Tools): LogKeeper {
  const kept = new Map<string, () => void>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const cap of kept.values()) cap();
  };
  const forget = (key: string): void => {
    kept.delete(key);
    if (kept.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    keep(run, { name, stepId, attemptIndex }) {
      kept.set(`${run}:${name}`, () => {
        try {
          const log = tools.output.serviceLog(run, stepId, attemptIndex);
          try {
            log.cap();
          } finally {
            log.close();
          }
        } catch {
          // The store may be closed, or the disk full: the service does not care, and the next look tries again.
        }
      });
      timer ??= setInterval(look, LOOK_MS).unref();
    },
    forget: (run, name) => forget(`${run}:${name}`),
  };
}

/** Which of them are no longer alive. */
export function survey(run: string, services: ServiceState[], keeper: LogKeeper, tools: Tools): string[] {
  const gone: string[] = [];
  for (const service of services) {
    const { name, group, stepId, attemptIndex } = service;
    if (inspectGroup(group, { run, service: name }) === 'ours') keeper.keep(run, service);
    else {
      gone.push(name);
      endLog(run, stepId, attemptIndex, tools);
    }
  }
  return gone;
}
