import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docsPlan, tellStory } from '../../../core/contract/told/testing.ts';
import { createStyle } from '../render/style.ts';
import { createLiveView } from './live-view.ts';
import { erase, repaint } from './painter.ts';
import { createTail } from './tail.ts';
import { guardTerminal } from './terminal-guard.ts';
import { createScreen } from './testing/screen.ts';

const style = createStyle({ env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, isTTY: true });

/** A live view on a screen in memory, its clock and its process in the test's hand. */
function stage({ columns = 80, rows = 24 } = {}) {
  const story = tellStory(docsPlan());
  const screen = createScreen(rows);
  const writes: string[] = [];
  const stream = Object.assign(new EventEmitter(), {
    write(text: string) {
      writes.push(text);
      screen.write(text);
    },
    writableNeedDrain: false,
  });
  const ticks = new Set<() => void>();
  const signals = Object.assign(new EventEmitter(), {
    pid: 42,
    kills: [] as string[],
    kill: (_: number, s: string) => void signals.kills.push(s),
  });
  const size = { columns, rows };
  const view = createLiveView({
    stream,
    style,
    signals,
    size: () => size,
    clock: {
      now: () => story.now,
      every: (_, tick) => {
        ticks.add(tick);
        return () => ticks.delete(tick);
      },
    },
  });
  const tick = () => {
    for (const each of ticks) each();
  };
  return { story, screen, stream, signals, writes, view, tick, ticks, size };
}

test('a frame replaces the one before it, in place', () => {
  const { story, screen, view, tick } = stage();
  screen.write('$ planwright run docs.plan.yaml\r\n');
  view.update(story.agree().start(1).state, []);
  expect(screen.lines()[0]).toBe('$ planwright run docs.plan.yaml');
  expect(screen.lines()[1]).toContain('Build the docs site');
  expect(screen.lines()[2]).toContain('Running step 1 of 9');
  expect(screen.cursorVisible).toBe(false);
  view.update(story.finish(1, 40).start(2).wait(1000).state, ['one', 'two']);
  tick();
  const lines = screen.lines();
  expect(lines.filter((line) => line.includes('Build the docs site'))).toHaveLength(1);
  expect(lines[2]).toContain('Running step 2 of 9 · 1 done');
  expect(lines.slice(7, 9)).toEqual([' │    one', ' │    two']);
});

test('only lines that changed are written', () => {
  const { story, view, tick, writes } = stage();
  view.update(story.agree().start(1).state, []);
  writes.length = 0;
  story.wait(1000);
  tick();
  const written = writes.join('');
  expect(written).toContain('1.0 s');
  expect(written).not.toContain('Install dependencies');
  expect(written.startsWith('\x1b[?2026h') && written.endsWith('\x1b[?2026l')).toBe(true);
});

test('between ticks nothing is drawn, however often it is updated', () => {
  const { story, view, writes, tick } = stage();
  view.update(story.agree().start(1).state, []);
  const before = writes.length;
  for (let i = 0; i < 1000; i += 1) view.update(story.state, [`line ${i}`]);
  expect(writes.length).toBe(before);
  tick();
  expect(writes.length).toBe(before + 1);
});

test('a terminal that cannot keep up is not flooded', () => {
  const { story, view, writes, tick, stream, screen } = stage();
  view.update(story.agree().start(1).state, []);
  const before = writes.length;
  stream.writableNeedDrain = true;
  for (let i = 0; i < 10; i += 1) tick();
  expect(writes.length).toBe(before);
  stream.writableNeedDrain = false;
  view.update(story.wait(5000).state, []);
  tick();
  expect(screen.lines().join('\n')).toContain('5.0 s');
});

test('suspended, it is gone and leaves the cursor to a prompt; resumed, it is back', () => {
  const { story, screen, view, tick, ticks } = stage();
  screen.write('before\r\n');
  view.update(story.agree().start(1).state, ['output']);
  view.suspend();
  expect(screen.lines()).toEqual(['before']);
  expect(screen.cursorVisible).toBe(true);
  screen.write('Approve? y\r\n');
  view.update(story.finish(1, 10).start(2).state, []);
  tick();
  expect(screen.lines()).toEqual(['before', 'Approve? y']);
  view.resume();
  expect(screen.lines()[3]).toContain('Running step 2 of 9');
  expect(screen.cursorVisible).toBe(false);
  expect(ticks.size).toBe(1);
});

test('finished, only the final lines stay, and nothing is left behind', () => {
  const { story, screen, view, ticks, signals, stream } = stage();
  view.update(story.agree().start(1).state, ['output']);
  view.finish(['the spine', 'the summary']);
  view.finish(['again']);
  view.update(story.state, []);
  view.resume();
  expect(screen.lines()).toEqual(['the spine', 'the summary']);
  expect(screen.cursorVisible).toBe(true);
  expect([ticks.size, stream.listenerCount('resize')]).toEqual([0, 0]);
  expect(signals.eventNames()).toEqual([]);
});

test('a view that was never drawn finishes without a trace of itself', () => {
  const { screen, view, writes } = stage();
  view.suspend();
  view.finish(['done']);
  expect(writes).toEqual(['done\r\n']);
  expect(screen.lines()).toEqual(['done']);
});

test('it never scrolls away what was there: a frame is lower than the screen', () => {
  const { story, screen, view, tick } = stage({ rows: 12 });
  view.update(story.agree().start(1).state, []);
  for (let i = 0; i < 20; i += 1) {
    view.update(story.wait(100).state, Array(i % 9).fill('output'));
    tick();
  }
  expect(screen.scrolled).toBe(0);
});

test('a new size is drawn at once', () => {
  const { story, screen, view, stream, size } = stage();
  view.update(story.agree().start(1).state, []);
  expect(screen.lines()[2]).toHaveLength(79);
  size.columns = 100;
  stream.emit('resize');
  expect(screen.lines()[2]).toHaveLength(99);
  expect(screen.lines().filter((line) => line.includes('Running step 1 of 9'))).toHaveLength(1);
});

test('the cursor is shown again when the process ends', () => {
  const { story, screen, view, signals } = stage();
  view.update(story.agree().start(1).state, []);
  signals.emit('exit');
  expect(screen.cursorVisible).toBe(true);
});

test('after Ctrl-Z and fg the frame is drawn anew', () => {
  const { story, screen, view, signals, tick, writes } = stage({ rows: 60 });
  view.update(story.agree().start(1).state, []);
  signals.emit('SIGTSTP');
  expect(screen.cursorVisible).toBe(true);
  expect(signals.kills).toEqual(['SIGSTOP']);
  const written = writes.length;
  story.wait(1000);
  tick();
  expect(writes).toHaveLength(written);
  signals.emit('SIGCONT');
  expect(screen.cursorVisible).toBe(false);
  expect(screen.lines().filter((line) => line.includes('Running step 1')).length).toBe(2);
});

test('a signal that nobody handles ends the process as it would have, after the cursor is back', () => {
  const kills: string[] = [];
  const source = Object.assign(new EventEmitter(), {
    pid: 42,
    kill: (_: number, signal: string) => void kills.push(signal),
  });
  let restored = 0;
  guardTerminal(
    source,
    () => (restored += 1),
    () => {},
  );
  source.emit('SIGTERM');
  expect([kills, restored]).toEqual([['SIGTERM'], 1]);
  expect(source.eventNames()).toEqual([]);
});

test('a signal that somebody handles is theirs', () => {
  const kills: string[] = [];
  const source = Object.assign(new EventEmitter(), {
    pid: 42,
    kill: (_: number, signal: string) => void kills.push(signal),
  });
  let restored = 0;
  guardTerminal(
    source,
    () => (restored += 1),
    () => {},
  );
  source.on('SIGINT', () => {});
  source.emit('SIGINT');
  expect([kills, restored]).toEqual([[], 0]);
});

test('whatever frames follow each other, the screen shows the last one and nothing else', () => {
  const frame = fc.array(fc.stringMatching(/^[a-z ]{0,19}[a-z]$/), { maxLength: 9 });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), (frames) => {
      const screen = createScreen(10);
      const size = { columns: 20, rows: 10 };
      screen.write('above\r\n');
      let shown: string[] = [];
      for (const next of frames) {
        screen.write(repaint(shown, next, size));
        shown = next;
        expect(screen.lines()).toEqual(['above', ...next]);
      }
      screen.write(erase(shown, size));
      expect(screen.lines()).toEqual(['above']);
    }),
  );
});

test('a tail keeps the last lines of any stream, in bounded memory', () => {
  const tail = createTail(3);
  tail.push('one\ntwo\nth');
  expect(tail.lines()).toEqual(['one', 'two', 'th']);
  tail.push('ree\nfour\n');
  expect(tail.lines()).toEqual(['two', 'three', 'four']);
  for (let i = 0; i < 1000; i += 1) tail.push('x'.repeat(10_000));
  expect(tail.lines().join('').length).toBeLessThan(10_000);
  tail.clear();
  expect(tail.lines()).toEqual([]);
});
