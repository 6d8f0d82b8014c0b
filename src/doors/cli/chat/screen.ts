import { chatEventWords } from '../../../core/contract/told/index.ts';
import type { ChatWatcher } from '../../app/follow-chat.ts';
import { type Context, note, print } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { measure, message } from '../render/look.ts';
import { cleanOutput, onlyColours } from '../render/text/clean.ts';

/** Every event as a line of JSON. */
export const jsonScreen = (context: Context): ChatWatcher => ({
  streams: false,
  said() {},
  event: ({ stream, seq, event }) => print(context, JSON.stringify({ chat: stream, seq, ...event })),
});

/** Answers go to stdout, everything else to stderr. At a terminal an answer is written as it comes. */
export function peopleScreen(context: Context): ChatWatcher {
  const look = lookOf(context, 'stderr');
  const answers = lookOf(context, 'stdout');
  const streams = context.stdout.isTTY === true;
  let clean = onlyColours();
  let written = '';
  const write = (text: string) => {
    written += text;
    context.stdout.write(text);
  };
  const endLine = () => {
    if (written !== '' && !written.endsWith('\n')) write('\n');
    written = '';
    clean = onlyColours();
  };
  return {
    streams,
    said: (bytes) => write(clean(bytes)),
    event({ event }, state) {
      if (event.type === 'model-answered') {
        const wasSaid = written.trim() !== '';
        endLine();
        // What no model said is our own, and is broken between words.
        const own = () => message(event.text, measure(answers), answers).join('\n');
        if (!wasSaid && event.text !== '') print(context, event.model === null ? own() : lines(event.text));
        return;
      }
      if (event.type === 'model-fell-back') endLine();
      if (event.type === 'call-finished' && state.turn?.isCommand === true) {
        // What a person types as a command says what it says.
        const { stdoutTail, stderrTail } = event.result;
        if (stdoutTail !== '') print(context, lines(stdoutTail.replace(/\n$/, '')));
        if (stderrTail !== '') note(context, lines(stderrTail.replace(/\n$/, '')));
      }
      const words = chatEventWords(event, state);
      if (words === null) return;
      endLine();
      // The end of a plan is the answer to its message.
      if (event.type === 'plan-results' && event.agreed) {
        print(context, lines(words));
        return;
      }
      for (const line of message(words, measure(look) - 2, look)) note(context, look.style.dim(`  ${line}`));
    },
  };
}

const lines = (text: string): string => text.split('\n').map(cleanOutput).join('\n');
