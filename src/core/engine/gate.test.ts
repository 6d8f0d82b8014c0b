import { describe, expect, test } from 'vitest';
import {
  fingerprint,
  initialRunState,
  type RiskLevel,
  type RunState,
  type StepState,
  type Subject,
} from '../contract/index.ts';
import { issuePermit, type Permit, redeemPermit } from './gate.ts';

const subject: Subject = {
  run: 'r',
  stepId: 's1',
  revision: 0,
  action: { kind: 'run-command', command: 'x' },
  cwd: '/',
  paths: [],
};
const verdict = (level: RiskLevel) => ({ level, reasons: [], reversible: true, needs: [], paths: [] });
const judged = (level: RiskLevel): StepState =>
  ({
    id: 's1',
    wants: null,
    judged: { verdict: verdict(level), subject, fingerprint: fingerprint(subject) },
  }) as unknown as StepState;
const approved = (
  status: 'granted' | 'needed' | 'denied' | 'withdrawn',
  print = fingerprint(subject),
): RunState => ({
  ...initialRunState,
  approvals: [
    {
      id: 'a',
      stepId: 's1',
      fingerprint: print,
      verdict: verdict('dangerous'),
      subject,
      status,
      reason: null,
      warning: null,
    },
  ],
});
const permitOf = (state: RunState, step: StepState): Permit => {
  const issued = issuePermit(state, step);
  if ('refused' in issued) throw new Error(issued.refused);
  return issued.permit;
};

describe('a permit is made', () => {
  test('for what was judged safe or caution, without asking', () => {
    expect(issuePermit(initialRunState, judged('safe'))).toHaveProperty('permit');
    expect(issuePermit(initialRunState, judged('caution'))).toHaveProperty('permit');
  });

  test('for nothing that was not judged, and nothing blocked', () => {
    expect(issuePermit(initialRunState, { judged: null } as unknown as StepState)).toEqual({
      refused: 'not-judged',
    });
    expect(issuePermit(approved('granted'), judged('blocked'))).toEqual({ refused: 'blocked' });
  });

  test('for what is dangerous only with an approval of exactly that', () => {
    expect(issuePermit(approved('granted'), judged('dangerous'))).toHaveProperty('permit');
    for (const status of ['needed', 'denied', 'withdrawn'] as const) {
      expect(issuePermit(approved(status), judged('dangerous'))).toEqual({ refused: 'not-approved' });
    }
    expect(issuePermit(approved('granted', 'another'), judged('dangerous'))).toEqual({
      refused: 'not-approved',
    });
  });
});

describe('a permit is taken', () => {
  test('once', () => {
    const permit = permitOf(initialRunState, judged('safe'));
    expect(redeemPermit(permit, subject)).toBe(true);
    expect(redeemPermit(permit, subject)).toBe(false);
  });

  test('for its subject alone, and is void after it was shown for another', () => {
    const permit = permitOf(initialRunState, judged('safe'));
    expect(redeemPermit(permit, { ...subject, cwd: '/etc' })).toBe(false);
    expect(redeemPermit(permit, subject)).toBe(false);
  });

  test('only where the gate made it', () => {
    expect(redeemPermit({} as Permit, subject)).toBe(false);
    expect(redeemPermit(Object.freeze({ ...permitOf(initialRunState, judged('safe')) }), subject)).toBe(
      false,
    );
  });
});
