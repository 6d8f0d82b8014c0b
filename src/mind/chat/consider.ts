import type { Considered } from '../../core/chat/index.ts';
import { scoreMessage } from './detect.ts';

const MOST_MENTIONS = 8;
const command = /^(?:!\s*|\$ +)(\S[\s\S]*)$/;
const mention = /(?<![\w@])@((?:[\w.-]+\/)*[\w.-]*\.[A-Za-z]\w*|(?:[\w.-]+\/)+[\w.-]+)/g;

const picture = /\.(?:png|jpe?g|gif|webp)$/i;

/** What is made of a message before anybody is asked: `!command` is run, `@file` is read or, a picture, shown, work of many parts is planned. */
export function consider(text: string, planning: 'auto' | 'always' | 'never'): Considered {
  const typed = command.exec(text.trim())?.[1];
  if (typed !== undefined) {
    const calls = [{ tool: 'run_command', args: { command: typed } }];
    return { plan: false, score: 0, reasons: [], calls, isCommand: true };
  }
  const { score, reasons, plan } = scoreMessage(text);
  const files = [...new Set([...text.matchAll(mention)].map(([, path]) => path!))].slice(0, MOST_MENTIONS);
  return {
    plan: planning === 'always' || (planning === 'auto' && plan),
    score,
    reasons: reasons.map((reason) => ({ ...reason })),
    calls: files.map((path) => ({ tool: picture.test(path) ? 'view_picture' : 'read_file', args: { path } })),
    isCommand: false,
  };
}
