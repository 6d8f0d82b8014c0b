import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError } from '../../app/errors.ts';
import { type Context, note } from '../context.ts';
import { junitReport } from './junit.ts';
import type { RunScreen } from './run-view.ts';

/** Throws where a report is wanted that cannot be made: before anything runs for it. */
export function checkReport({ cwd }: Pick<Context, 'cwd'>, wanted: string | undefined): void {
  if (wanted === undefined) return;
  const file = resolve(cwd, readWanted(wanted));
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (cause) {
    throw new AppError('usage', `the report ${file} cannot be written: there is no such folder`, { cause });
  }
}

function readWanted(wanted: string): string {
  const [format, ...rest] = wanted.split('=');
  const file = rest.join('=');
  if (format === 'junit' && file !== '') return file;
  throw new AppError('usage', `--report takes junit=FILE, not ${JSON.stringify(wanted)}`);
}

/** Writes a report once the run rests, besides whatever else is shown. */
export function withReport(context: Context, view: RunScreen, wanted: string): RunScreen {
  const file = resolve(context.cwd, readWanted(wanted));
  return {
    ...view,
    finish(state, changes) {
      view.finish(state, changes);
      try {
        writeFileSync(file, junitReport(state));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        note(context, `The report could not be written: ${why}`);
      }
    },
  };
}
