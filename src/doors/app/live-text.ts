import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import type { TextLog } from '../../world/models/index.ts';
import type { Output, OutputWriter } from '../../world/store/index.ts';
import { streamOf } from './secrets.ts';

/** The name that a call's text has among the output logs of its run. */
export const callLog = (callId: string): string => `call:${callId}`;

/**
 * Keeps what models say as they say it, without secrets and no more than of a step. It is for watching only: where it
 * cannot be written, the call goes on.
 */
export const createLiveText =
  (output: Output, run: string, filter: SecretFilter) =>
  (callId: string): TextLog => {
    const encoder = new TextEncoder();
    const bytes = streamOf(filter);
    let writer: OutputWriter | null = null;
    let isBroken = false;
    const attempt = (work: (writer: OutputWriter) => void): void => {
      if (isBroken) return;
      try {
        writer ??= output.writer(run, callLog(callId), 0);
        work(writer);
      } catch {
        isBroken = true;
      }
    };
    return {
      write: (delta) => attempt((to) => to.write(bytes.write(encoder.encode(delta)))),
      end: () =>
        attempt((to) => {
          to.write(bytes.flush());
          to.end();
        }),
    };
  };
