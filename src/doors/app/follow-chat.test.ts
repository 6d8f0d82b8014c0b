import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { App } from './app.ts';
import { followChat } from './follow-chat.ts';

const at = { v: 1, at: 0 };
const calls = [
  { ...at, type: 'model-call-started', callId: 'c', role: 'chat', reserved: { usd: 0, tokens: 0 } },
  { ...at, type: 'model-call-finished', callId: 'c', usage: null, usd: null },
].map((event, n) => ({ stream: 'one', seq: n + 1, event }));

/** A conversation of these two events, whose model has said all when `said` resolves. */
const appWith = (asked: () => void, said: Promise<void>) =>
  ({
    redactorFor: () => ({ value: <T>(part: T) => part }),
    streams: {
      async *tail(_id: string, _after: number, signal: AbortSignal) {
        yield* calls;
        if (!signal.aborted) await once(signal, 'abort');
      },
      output: {
        async *follow() {
          asked();
          await said;
          yield { bytes: new Uint8Array() };
        },
      },
    },
  }) as unknown as App;

test('it has caught up once the screen was shown it, and not while the model’s last words are', async () => {
  const [asked, said] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let shown = 0;
  const screen = { streams: true, said: () => {}, event: ({ seq }: { seq: number }) => void (shown = seq) };
  const following = followChat(appWith(asked.resolve, said.promise), 'one', screen, 0);
  await asked.promise;
  await new Promise(setImmediate);
  const shownThen = following.caughtUp(2).then(() => shown);
  await new Promise(setImmediate);
  said.resolve();
  expect(await shownThen).toBe(2);
  await following.stop();
});

test('whoever waits for what is never shown waits no longer than it is followed', async () => {
  const screen = { streams: false, said: () => {}, event: () => {} };
  const following = followChat(
    appWith(() => {}, Promise.resolve()),
    'one',
    screen,
    0,
  );
  const waiting = following.caughtUp(3);
  await following.stop();
  await waiting;
  await following.caughtUp(3);
});
