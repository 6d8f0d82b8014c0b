import { initialRunState, type RunState } from '../../../core/contract/index.ts';
import { renderRun } from '../render/run.ts';
import type { Style } from '../render/style.ts';
import { erase, hideCursor, repaint, type Size, showCursor } from './painter.ts';
import { guardTerminal, type SignalSource } from './terminal-guard.ts';

/**
 * The live view of one run, drawn in place:
 *
 *   idle ──update──▶ drawn ◀──resume── suspended
 *                      │ └──suspend──────▲  │
 *                      └─────finish────▶ finished ◀─┘
 *
 * The cursor is hidden exactly while the view is drawn. Nobody else may write to the stream meanwhile.
 */
export interface LiveView {
  /** What to show from now on; drawn with the next frame, at once if it is the first. */
  update(state: RunState, tail: readonly string[]): void;
  /** Clears itself and shows the cursor, so that a prompt can be put; updates are kept until `resume`. */
  suspend(): void;
  resume(): void;
  /** Clears itself for good and prints these lines into the scrollback. Safe to call twice. */
  finish(finalLines: readonly string[]): void;
}

export interface ViewStream {
  write(text: string): unknown;
  readonly writableNeedDrain?: boolean;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

export interface ViewClock {
  now(): number;
  /** Calls back again and again; returns what ends it. */
  every(ms: number, tick: () => void): () => void;
}

export const systemViewClock: ViewClock = {
  now: () => Date.now(),
  every(ms, tick) {
    const timer = setInterval(tick, ms).unref();
    return () => clearInterval(timer);
  },
};

export interface LiveViewOptions {
  stream: ViewStream;
  style: Style;
  size: () => Size;
  clock?: ViewClock;
  title?: string;
  /** Whose end to watch for; the process itself unless a test says otherwise. */
  signals?: SignalSource;
}

/** Lines kept free under a step that has not printed yet, once any step has: the steps below jump less. */
const freeRows = 3;

/** Twelve frames a second: the eye sees motion, a slow connection keeps up. */
const frameMs = 83;

/** A terminal that does not know its size says 0. */
const known = ({ columns, rows }: Size): Size => ({ columns: columns || 80, rows: rows || 24 });

export function createLiveView(options: LiveViewOptions): LiveView {
  const { stream, style, size, title, clock = systemViewClock, signals = process as SignalSource } = options;
  let phase: 'idle' | 'drawn' | 'suspended' | 'finished' = 'idle';
  let shown: string[] = [];
  let state = initialRunState;
  let tail: readonly string[] = [];
  let tailRows = 0;
  let takeBack: (() => void)[] = [];
  /** The process was stopped, and has not heard yet that it goes on: its timers are heard before its signals. */
  let stopped = false;

  const draw = () => {
    if (phase !== 'drawn' || stopped || stream.writableNeedDrain) return;
    const { columns, rows } = known(size());
    const frame = renderRun(state, {
      style,
      title,
      now: clock.now(),
      tail,
      tailRows,
      width: columns,
      height: rows - 1,
    });
    if (frame.length === 0 && shown.length === 0) return;
    stream.write(repaint(shown, frame, { columns, rows }));
    shown = frame;
  };
  const clear = () => {
    stream.write(erase(shown, known(size())));
    shown = [];
  };
  const resized = () => {
    if (phase !== 'drawn') return;
    clear();
    draw();
  };
  const left = () => {
    stopped = true;
    stream.write(`\r\n${showCursor}`);
  };
  const continued = () => {
    stopped = false;
    if (phase !== 'drawn') return;
    // The shell has written below the old frame: it stays, and a new one begins here.
    shown = [];
    stream.write(hideCursor);
    draw();
  };
  const show = () => {
    phase = 'drawn';
    stream.write(hideCursor);
    stream.on('resize', resized);
    takeBack = [
      clock.every(frameMs, draw),
      () => stream.off('resize', resized),
      guardTerminal(signals, left, continued),
    ];
    draw();
  };
  const hide = () => {
    if (phase !== 'drawn') return;
    for (const end of takeBack.splice(0)) end();
    clear();
    stream.write(showCursor);
  };

  return {
    update(nextState, nextTail) {
      state = nextState;
      tail = nextTail;
      tailRows = Math.max(tailRows, Math.min(tail.length, freeRows));
      if (phase === 'idle') show();
    },
    suspend() {
      if (phase === 'finished') return;
      hide();
      phase = 'suspended';
    },
    resume() {
      if (phase === 'suspended') show();
    },
    finish(finalLines) {
      if (phase === 'finished') return;
      hide();
      phase = 'finished';
      if (finalLines.length > 0) stream.write(finalLines.map((line) => `${line}\r\n`).join(''));
    },
  };
}
