import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../app/index.ts';
import type { Context } from '../context.ts';
import { junitReport } from './junit.ts';
import type { RunView } from './view.ts';

/** Writes a report once the run rests, besides whatever else is shown. */
export function withReport(context: Context, view: RunView, wanted: string): RunView {
  const at = wanted.indexOf('=');
  const [format, file] = [wanted.slice(0, at), wanted.slice(at + 1)];
  if (at < 0 || format !== 'junit' || file === '') {
    throw new AppError('usage', `--report takes junit=FILE, not ${JSON.stringify(wanted)}`);
  }
  return {
    ...view,
    finish(state) {
      view.finish(state);
      writeFileSync(resolve(context.cwd, file), junitReport(state));
    },
  };
}
