import { expect, test } from 'vitest';
import { once } from './once.ts';

const post = (type: string): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({ request: { type }, key: crypto.randomUUID() }),
});

test('what is asked for while the same is under way is sent once, and everybody is answered', async () => {
  const open: ((answer: Response) => void)[] = [];
  const send = once(() => new Promise<Response>((resolve) => open.push(resolve)));
  const asked = [send('/a', post('x')), send('/a', post('x'))];
  const others = [send('/a', post('y')), send('/b', post('x')), send('/a'), send('/a')];
  expect(open).toHaveLength(5);
  for (const [at, answer] of open.entries()) answer(Response.json(at));
  expect(await Promise.all(asked.map(async (each) => (await each).json()))).toEqual([0, 0]);
  expect(await Promise.all(others.map(async (each) => (await each).json()))).toEqual([1, 2, 3, 4]);
  // Later it is another request, and so it is after one that failed.
  const again = send('/a', post('x'));
  open[5]!(Response.json('again'));
  expect(await (await again).json()).toBe('again');
  const failing = once(() => Promise.reject(new Error('away')));
  await expect(failing('/a', post('x'))).rejects.toThrow('away');
  await expect(failing('/a', post('x'))).rejects.toThrow('away');
});

test('keys of people are no keys of requests, and what may be broken off is held together with nothing', async () => {
  let sent = 0;
  const send = once(async () => {
    sent += 1;
    return Response.json(null);
  });
  const { signal } = new AbortController();
  await Promise.all([
    send('/k', { method: 'PUT', body: '{"key":"sk-one"}' }),
    send('/k', { method: 'PUT', body: '{"key":"sk-two"}' }),
    send('/s', { ...post('x'), signal }),
    send('/s', { ...post('x'), signal }),
  ]);
  expect(sent).toBe(4);
});
