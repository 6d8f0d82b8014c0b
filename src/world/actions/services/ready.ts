import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Expectation, ExpectationResult } from '../../../core/contract/index.ts';
import type { Service } from '../../process/index.ts';
import {
  checkExpectation,
  type ExpectationContext,
  isCheckableAnytime,
  observe,
} from '../expectations/check.ts';
import { watchLog } from './service-log.ts';

/** A service of which nothing can be checked is ready when it has lived so long. */
export const ALIVE_MS = 500;
/** How long a service may be silent before it is ready, where the step does not say how long it may take. */
export const READY_MS = 30_000;
/** And how long it may take in all, whatever it says meanwhile. */
const MOST_MS = 10 * 60_000;
const LOOK_MS = 50;

export interface Readiness {
  state: 'ready' | 'exited' | 'late' | 'aborted';
  seen: ExpectationResult | null;
}

export interface ReadinessSpec {
  service: Service;
  expectation: Expectation | null;
  /** Where and how `expects` is looked at. */
  context: Omit<ExpectationContext, 'output' | 'exitCode'>;
  log: string;
  /** It held before the service was started, so it proves nothing by itself. */
  heldBefore: boolean;
  withinMs: number;
  /** As long as it writes to its log it is waited for: only silence is counted. */
  whileItSpeaks: boolean;
  signal: AbortSignal;
}

/** Looks until the service is ready, has ended, takes too long, or the signal aborts. Never rejects. */
export async function becomeReady(spec: ReadinessSpec): Promise<Readiness> {
  const { service, expectation, signal, context } = spec;
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  // How it exits cannot be looked at while it runs.
  const checks = expectation !== null && expectation.kind !== 'exit';
  const output = checks ? watchLog(spec.log, expectation) : null;
  let seen: ExpectationResult | null = null;
  let [spoke, size] = [0, 0];
  for (;;) {
    if (signal.aborted) return { state: 'aborted', seen };
    if (checks) {
      seen = await checkExpectation(expectation, { ...context, output, signal, timeoutMs: 2_000 });
    }
    // After the look: what held may have been somebody else's, or the last that this service did.
    if (service.exit() !== null) return { state: 'exited', seen };
    const livedEnough = elapsed() >= ALIVE_MS;
    if (checks ? seen?.held && (livedEnough || !spec.heldBefore) : livedEnough)
      return { state: 'ready', seen };
    const written = spec.whileItSpeaks ? sizeOf(spec.log) : 0;
    if (written !== size && elapsed() < MOST_MS) [spoke, size] = [elapsed(), written];
    if (elapsed() - spoke >= spec.withinMs) return { state: 'late', seen };
    const pause = sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    await Promise.race([pause, service.exited]);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether what the service promises holds already, though nobody has started it. Null where it cannot be told. */
export async function holdsBefore(
  expectation: Expectation | null,
  context: Omit<ExpectationContext, 'output' | 'exitCode'>,
): Promise<boolean | null> {
  if (expectation === null || !isCheckableAnytime(expectation)) return null;
  const { held } = await observe(expectation, { ...context, timeoutMs: 2_000 });
  return held;
}
