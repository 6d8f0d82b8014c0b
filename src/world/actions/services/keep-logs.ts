import type { ServiceState } from '../../../core/contract/index.ts';
import { inspectGroup } from '../../process/index.ts';
import type { OutputPort } from '../ports.ts';

/** How often the logs of running services are looked at. */
const LOOK_MS = 2_000;

export type KeptService = Pick<ServiceState, 'name' | 'stepId' | 'attemptIndex' | 'group'>;

/** Keeps the logs of running services from growing for ever, as long as this process lives. */
export interface LogKeeper {
  /** Until the service is no longer alive. */
  keep(run: string, service: KeptService): void;
}

const keepers = new WeakMap<OutputPort, LogKeeper>();

/** One for each place of logs: performers come and go with the activations of a run, and services stay. */
export function keeperOf(output: OutputPort): LogKeeper {
  const known = keepers.get(output);
  if (known !== undefined) return known;
  const keeper = createLogKeeper(output);
  keepers.set(output, keeper);
  return keeper;
}

function createLogKeeper(output: OutputPort): LogKeeper {
  const kept = new Map<string, { run: string; service: KeptService }>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const [key, { run, service }] of kept) {
      const { name, group, stepId, attemptIndex } = service;
      if (inspectGroup(group, { run, service: name }) === 'ours') void cap(output, run, stepId, attemptIndex);
      else kept.delete(key);
    }
    if (kept.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    keep(run, service) {
      kept.set(`${run}:${service.name}`, { run, service });
      timer ??= setInterval(look, LOOK_MS).unref();
    },
  };
}

async function cap(output: OutputPort, run: string, stepId: string, attemptIndex: number): Promise<void> {
  try {
    const log = await output.serviceLog(run, stepId, attemptIndex);
    try {
      await log.cap();
    } finally {
      await log.close();
    }
  } catch {
    // The store may be closed, or the disk full: the service does not care, and the next look tries again.
  }
}
