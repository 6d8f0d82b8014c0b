import { createInterface } from 'node:readline';
import { slashNames } from '../../../core/contract/told/index.ts';
import { filesLike } from '../../app/files-like.ts';
import type { Context } from '../context.ts';

/** Completes `/commands` and `@files` of the workspace. */
export const completer =
  (workspace: string) =>
  (line: string): [string[], string] => {
    if (/^\/\w*$/.test(line)) return [slashNames.filter((name) => name.startsWith(line)), line];
    const typed = /(?:^|\s)@(\S*)$/.exec(line)?.[1];
    if (typed === undefined) return [[], line];
    return [filesLike(workspace, typed).map((path) => `@${path}`), `@${typed}`];
  };

/** One line from the person; null where they leave. `above` stands over what they type. */
export function promptLine(
  { stdin, stderr }: Context,
  workspace: string,
  history: string[],
  above = '',
): Promise<string | null> {
  return new Promise((resolve) => {
    const lines = createInterface({
      input: stdin,
      output: stderr,
      terminal: true,
      completer: completer(workspace),
      history: [...history],
    });
    let answer: string | null = null;
    lines.on('SIGINT', () => lines.close());
    lines.on('close', () => resolve(answer));
    stderr.write(above === '' ? '\n' : `\n${above}\n`);
    lines.question('> ', (text) => {
      answer = text;
      lines.close();
    });
  });
}
