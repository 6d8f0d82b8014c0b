import { describe, expect, it } from 'vitest';
import { toyKind } from '../../../test/support/toy-kind.ts';
import { advance, createHeadGuesses, type Head, refusal, seqOf, withId } from './heads.ts';
import { awaitsFrom, endsWith, isListedAlike } from './listing-rules.ts';
import { asked, awaits, begun, ended, fact, note } from './test-support.ts';

const fresh: Head = { kind: 'toy', last: 0, epoch: 0, row: null, ids: '' };
const at = (last: number, epoch: number): Head => ({ ...fresh, last, epoch });

describe('a head', () => {
  it('refuses an old epoch before anything else, then another place', () => {
    expect(refusal(at(3, 2), { epoch: 1, expectedSeq: 9 })).toEqual({ ok: false, why: 'stale' });
    expect(refusal(at(3, 2), { epoch: 3 })).toEqual({ ok: false, why: 'stale' });
    expect(refusal(at(3, 2), { epoch: 2, expectedSeq: 2 })).toEqual({ ok: false, why: 'conflict' });
    expect(refusal(at(3, 2), { epoch: 2, expectedSeq: 3 })).toBeNull();
    expect(refusal(at(3, 2), {})).toBeNull();
  });

  it('moves with the events, and its row with it', () => {
    const answered = fact(4, { type: 'target-raised', amount: 1, answers: 2 });
    const after = advance(toyKind, 'a', fresh, [begun({ at: 1 }), asked(2), asked(3), answered]);
    expect(after).toMatchObject({ last: 4, row: { id: 'a', unanswered: [{ seq: 3, at: 3 }] } });
    expect(advance(toyKind, 'a', after, [ended(9)])).toMatchObject({ last: 5, row: { endedAt: 9 } });
  });

  it('knows its newest appends by name, whatever they are called', () => {
    const names = ['a', 'b":1,"c', '__proto__', '', 'a"', 'ü\\'];
    const ids = names.reduce((known, name, at) => withId(known, name, at + 1), '');
    expect(names.map((name) => seqOf(ids, name))).toEqual([1, 2, 3, 4, 5, 6]);
    for (const other of ['b', 'c', 'constructor', ':1', 'ü']) expect(seqOf(ids, other)).toBeNull();
    expect(seqOf('', 'a')).toBeNull();
  });

  it('is guessed only where the append would fit it', () => {
    const guesses = createHeadGuesses();
    guesses.keep('a', at(3, 2));
    const append = { id: 'x', events: [note(1)], epoch: 2 };
    expect(guesses.forAppend('a', append)).toEqual(at(3, 2));
    expect(guesses.forAppend('a', { ...append, epoch: 1 })).toBeUndefined();
    expect(guesses.forAppend('a', { ...append, events: [] })).toBeUndefined();
    expect(guesses.forAppend('b', append)).toBeUndefined();
    guesses.keep('named', { ...at(3, 2), ids: withId('', 'x', 3) });
    expect(guesses.forAppend('named', append)).toBeUndefined();
    expect(guesses.forAppend('named', { ...append, id: 'y' })).toBeDefined();
    for (let n = 0; n < 300; n++) guesses.keep(`other-${n}`, at(1, 1));
    expect(guesses.forAppend('a', append)).toBeUndefined();
  });
});

describe('what a listing is read by', () => {
  const rowOf = (...events: Parameters<typeof advance>[3]) => advance(toyKind, 'a', fresh, events).row!;

  it('does not change with most events', () => {
    const row = rowOf(begun({ at: 1 }));
    expect(isListedAlike(row, rowOf(begun({ at: 1 }), note(5)))).toBe(true);
    expect(isListedAlike(row, rowOf(begun({ at: 1 }), asked(5)))).toBe(false);
    expect(isListedAlike(row, rowOf(begun({ at: 1 }), ended(5)))).toBe(false);
  });

  it('says when a stream ends, and which one it waits for from here on', () => {
    const [row, waits] = [rowOf(begun()), rowOf(begun(), awaits(2, 'b'))];
    const over = rowOf(begun(), ended(3));
    expect([endsWith(row, over), endsWith(null, over), endsWith(over, over)]).toEqual([true, true, false]);
    expect([awaitsFrom(row, waits), awaitsFrom(null, waits), awaitsFrom(waits, waits)]).toEqual([
      'b',
      'b',
      null,
    ]);
    expect([awaitsFrom(waits, row), awaitsFrom(null, row)]).toEqual([null, null]);
  });
});
