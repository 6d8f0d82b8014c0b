import type { AttemptWork } from '../../core/run/index.ts';
import type { OutputWriter } from '../../core/stream/index.ts';
import type { OutputStream } from '../process/index.ts';
import { keepTail } from '../process/index.ts';
import { LOG_BYTES, type OutputFilter } from './ports.ts';
import { sentenceOf } from './results.ts';
import type { Tools } from './tools.ts';

/** What an attempt's output came to. */
export interface RecordedOutput {
  stdoutTail: string;
  stderrTail: string;
  outputBytes: number;
  outputTruncated: boolean;
}

export interface OutputRecorder {
  take(stream: OutputStream, bytes: Uint8Array): void | Promise<void>;
  /** Writes what the filters held back, and ends the log. `withNext`: the outcome is written next. Never rejects. */
  finish(how?: { withNext: boolean }): Promise<RecordedOutput & { problem: string | null }>;
}

const unfiltered = (): OutputFilter => ({ write: (chunk) => chunk, flush: () => new Uint8Array() });

/** The recorder of an attempt's log. Rejects where the log cannot be opened. */
export const recorderOf = async (
  { run, step, attemptIndex }: AttemptWork,
  { output, filterSecrets }: Tools,
): Promise<OutputRecorder> => recordOutput(await output.writer(run, step.id, attemptIndex), filterSecrets);

/**
 * Filters output, keeps its ends, and writes it to the log. A log that cannot be written stops no command:
 * the rest is left out, and the result says so.
 */
function recordOutput(writer: OutputWriter, newFilter: () => OutputFilter = unfiltered): OutputRecorder {
  const filters = { stdout: newFilter(), stderr: newFilter() };
  const tails = { stdout: keepTail(), stderr: keepTail() };
  let outputBytes = 0;
  let problem: string | null = null;
  const fail = (error: unknown): void => {
    problem ??= sentenceOf(error);
  };

  const write = (stream: OutputStream, clean: Uint8Array): void | Promise<void> => {
    if (clean.length === 0) return;
    outputBytes += clean.length;
    tails[stream].add(clean);
    if (problem !== null) return;
    return writer.write(clean, stream === 'stderr' ? stream : undefined).catch(fail);
  };

  return {
    take(stream, bytes) {
      try {
        return write(stream, filters[stream].write(bytes));
      } catch (error) {
        // A filter that fails lets nothing through.
        fail(error);
      }
    },
    async finish(how) {
      try {
        // The end is said with the last of it: it may be written at once.
        const last = [write('stdout', filters.stdout.flush()), write('stderr', filters.stderr.flush())];
        await Promise.all([...last, writer.end(how)]);
      } catch (error) {
        fail(error);
      }
      return {
        stdoutTail: tails.stdout.text(),
        stderrTail: tails.stderr.text(),
        outputBytes,
        outputTruncated: problem !== null || outputBytes > LOG_BYTES,
        problem,
      };
    },
  };
}
