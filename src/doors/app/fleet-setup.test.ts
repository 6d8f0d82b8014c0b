import { expect, it } from 'vitest';
import { keptKinds } from './app.ts';
import { requestsOf, requestTypes } from './fleet-setup.ts';

it('what people ask of streams is known of every kind, and no worker writes it but to end what it began', () => {
  expect(Object.keys(requestsOf).toSorted()).toEqual(keptKinds.map(({ name }) => name).toSorted());
  for (const { name, isRequest } of keptKinds)
    for (const { shape } of requestsOf[name]?.options ?? [])
      expect([name, shape.type.value, isRequest({ type: shape.type.value })]).toEqual([
        name,
        shape.type.value,
        true,
      ]);
  const { requests, stops } = requestTypes();
  expect(requests).toEqual(expect.arrayContaining(['approval-decided', 'plan-decided', 'merge-requested']));
  expect(stops.toSorted()).toEqual(['cancel-requested', 'close-requested', 'stop-requested']);
});
