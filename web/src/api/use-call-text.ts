import { useEffect, useState } from 'react';
import { client } from './client.ts';

/** How long the server may hold a request until more comes. */
const WAIT_MS = 4000;
/** So much of the end is shown. */
const KEPT = 4000;

/** What a model says while it says it: the end of it, or so much. Empty where nothing has come yet, or no call is open. */
export function useCallText(run: string, callId: string | null, kept = KEPT): string {
  const [text, setText] = useState('');
  useEffect(() => {
    setText('');
    if (callId === null) return undefined;
    let gone = false;
    const decoder = new TextDecoder();
    const follow = async () => {
      let offset = 0;
      while (!gone) {
        const part = await client.callText(run, callId, { offset, wait: WAIT_MS });
        if (gone) return;
        offset = part.next;
        const more = decoder.decode(part.bytes, { stream: true });
        if (more !== '') setText((before) => (before + more).slice(-kept));
        if (part.ended) return;
      }
    };
    // A page that cannot follow it shows the time that passes, as it does for brains that say nothing.
    follow().catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [run, callId, kept]);
  return text;
}
