import { describe, expect, test } from 'vitest';
import { fingerprint, type RiskLevel } from '../contract/index.ts';
import { type Decided, issuePermit, type Judged, type Permit, redeemPermit } from './gate.ts';

const subject = {
  run: 'r',
  stepId: 's1',
  revision: 0,
  action: { kind: 'run-command', command: 'x' },
  cwd: '/',
  paths: [],
};
const verdict = (level: RiskLevel) => ({ level, reasons: [], reversible: true, needs: [], paths: [] });
const judged = (level: RiskLevel): Judged => ({
  verdict: verdict(level),
  fingerprint: fingerprint(subject),
  wantsMore: false,
});
const decided = (status: Decided['status'], print = fingerprint(subject)): Decided[] => [
  { fingerprint: print, subject, status },
];
const permitOf = (of: Judged): Permit => {
  const issued = issuePermit(of, []);
  if ('refused' in issued) throw new Error(issued.refused);
  return issued.permit;
};

describe('a permit is made', () => {
  test('for what was judged safe or caution, without asking', () => {
    expect(issuePermit(judged('safe'), [])).toHaveProperty('permit');
    expect(issuePermit(judged('caution'), [])).toHaveProperty('permit');
  });

  test('for nothing that was not judged, and nothing blocked', () => {
    expect(issuePermit(null, [])).toEqual({
      refused: 'not-judged',
    });
    expect(issuePermit(judged('blocked'), decided('granted'))).toEqual({ refused: 'blocked' });
  });

  test('for what is dangerous only with an approval of exactly that', () => {
    expect(issuePermit(judged('dangerous'), decided('granted'))).toHaveProperty('permit');
    for (const status of ['needed', 'denied', 'withdrawn'] as const) {
      expect(issuePermit(judged('dangerous'), decided(status))).toEqual({ refused: 'not-approved' });
    }
    expect(issuePermit(judged('dangerous'), decided('granted', 'another'))).toEqual({
      refused: 'not-approved',
    });
  });

  test('for nothing that was not shown, whatever the approval says of itself', () => {
    const [approved] = decided('granted');
    const harmless = { ...subject, action: { kind: 'run-command', command: 'true' } };
    expect(issuePermit(judged('dangerous'), [{ ...approved!, subject: harmless }])).toEqual({
      refused: 'not-approved',
    });
  });
});

describe('a permit is taken', () => {
  test('once', () => {
    const permit = permitOf(judged('safe'));
    expect(redeemPermit(permit, subject)).toBe(true);
    expect(redeemPermit(permit, subject)).toBe(false);
  });

  test('for its subject alone, and is void after it was shown for another', () => {
    const permit = permitOf(judged('safe'));
    expect(redeemPermit(permit, { ...subject, cwd: '/etc' })).toBe(false);
    expect(redeemPermit(permit, subject)).toBe(false);
  });

  test('only where the gate made it', () => {
    expect(redeemPermit({} as Permit, subject)).toBe(false);
    expect(redeemPermit(Object.freeze({ ...permitOf(judged('safe')) }), subject)).toBe(false);
  });
});
