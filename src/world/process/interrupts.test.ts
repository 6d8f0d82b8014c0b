import { expect, test } from 'vitest';
import { ignoreInterrupts } from './interrupts.ts';

/** What a listener of this process heard, while the test runs. */
function listening() {
  let heard = 0;
  const listener = () => {
    heard += 1;
  };
  process.on('SIGINT', listener);
  return { heard: () => heard, [Symbol.dispose]: () => void process.off('SIGINT', listener) };
}

test('what is pressed while a child has the terminal is not heard', async () => {
  using listener = listening();
  const listenAgain = ignoreInterrupts();
  process.emit('SIGINT');
  await listenAgain(true);
  expect(listener.heard()).toBe(0);
  process.emit('SIGINT');
  expect(listener.heard()).toBe(1);
});

test('the press that ended the child is not heard either where it comes after the end', async () => {
  using listener = listening();
  const ready = ignoreInterrupts()(true);
  process.emit('SIGINT');
  await ready;
  expect(listener.heard()).toBe(0);
});

test('after an end of its own the child leaves nothing to wait for', async () => {
  using listener = listening();
  await ignoreInterrupts()(false);
  process.emit('SIGINT');
  expect(listener.heard()).toBe(1);
});
