import { defaultPipeline, type Pipeline } from '@tasks';
import { expect, test } from 'vitest';
import { diagramOf, NODE } from './pipeline-view.ts';

const at = (name: string, previous = '') => diagramOf(defaultPipeline, name, previous);
const node = (name: string, diagram = at('open')) => diagram.nodes.find((one) => one.name === name)!;

test('the way of a task that nothing befalls lies in one line, from left to right', () => {
  const way = ['open', 'planning', 'plan_ready', 'implementing', 'reviewing', 'ready', 'merged'].map((name) =>
    node(name),
  );
  expect(new Set(way.map(({ y }) => y)).size).toBe(1);
  expect(way.map(({ x }) => x)).toEqual(way.map(({ x }) => x).toSorted((a, b) => a - b));
});

test('detours lie below, a question and a failure at the bottom, and nothing on anything else', () => {
  const { nodes, width, height } = at('open');
  expect(node('investigating').y).toBeGreaterThan(node('planning').y);
  for (const siding of ['needs_info', 'stuck'])
    expect(node(siding).y).toBe(Math.max(...nodes.map(({ y }) => y)));
  for (const [n, a] of nodes.entries()) {
    expect(a.x + NODE.width / 2).toBeLessThanOrEqual(width);
    expect(a.y + NODE.height / 2).toBeLessThanOrEqual(height);
    for (const b of nodes.slice(n + 1))
      expect(
        Math.abs(a.x - b.x) >= NODE.width || Math.abs(a.y - b.y) >= NODE.height,
        `${a.name} ${b.name}`,
      ).toBe(true);
  }
});

test('whatever leads on from where the task is is drawn and marked, back to where it was too', () => {
  const open = (name: string, previous?: string) =>
    at(name, previous)
      .edges.filter((edge) => edge.open)
      .map(({ to }) => to)
      .toSorted();
  expect(open('open')).toEqual(['closed', 'implementing', 'investigating', 'planning']);
  expect(open('stuck', 'implementing')).toEqual(['changing', 'closed', 'implementing', 'ready']);
  expect(open('merged')).toEqual([]);
  // What would only be lines across everything is left out elsewhere.
  expect(at('open').edges.some(({ from, to }) => from === 'ready' && to === 'closed')).toBe(false);
});

test('a pipeline of one line needs one line', () => {
  const tiny: Pipeline = {
    name: 'tiny',
    initial: 'todo',
    statuses: [
      { name: 'todo', title: 'To do', kind: 'open' },
      { name: 'done', title: 'Done', kind: 'ended' },
    ],
    transitions: [{ from: ['todo'], to: 'done', trigger: { type: 'manual', title: 'Done' }, guards: [] }],
  };
  const { nodes, edges } = diagramOf(tiny, 'todo', '');
  expect(new Set(nodes.map(({ y }) => y)).size).toBe(1);
  expect(edges).toEqual([{ from: 'todo', to: 'done', d: expect.stringMatching(/^M/), open: true }]);
});
