import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import type { Output, OutputWriter } from '../../core/stream/index.ts';
import type { TextLog } from '../../world/models/index.ts';
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
    let writer: Promise<OutputWriter> | null = null;
    const write = (chunk: Uint8Array): void => {
      writer ??= output.writer(run, callLog(callId), 0);
      writer = writer.then(async (to) => {
        await to.write(chunk);
        return to;
      });
      // Once broken it stays so: what would come after a gap is not written.
      writer.catch(() => {});
    };
    return {
      write: (delta) => write(bytes.write(encoder.encode(delta))),
      end() {
        write(bytes.flush());
        writer?.then((to) => to.end()).catch(() => {});
      },
    };
  };
