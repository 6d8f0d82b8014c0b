import type { RunState, StepState } from '../../../core/contract/index.ts';

/** The run as a JUnit test suite: a step is a test case. Pure. */
export function junitReport(state: RunState): string {
  const steps = state.plan?.steps ?? [];
  const cases = state.steps.map((step, index) =>
    testCase(step, steps[index]?.title ?? step.id, steps[index]?.source?.file),
  );
  const failures = state.steps.filter(({ status }) => status === 'failed' || status === 'interrupted').length;
  const skipped = state.steps.filter(({ status }) => status === 'skipped' || status === 'pending').length;
  const goal = xml(state.plan?.goal ?? 'run');
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${goal}" ${counts} time="${seconds(state.activeMs)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(step: StepState, title: string, file: string | undefined): string {
  const time = seconds(step.result?.durationMs ?? 0);
  const open = `    <testcase name="${xml(title)}" classname="${xml(file ?? 'planwright')}" time="${time}"`;
  const body = outcome(step);
  return body === '' ? `${open}/>` : `${open}>${body}</testcase>`;
}

function outcome({ status, result, skipReason }: StepState): string {
  if (status === 'failed') {
    const said = xml([result?.stderrTail, result?.stdoutTail].filter(Boolean).join('\n'));
    const message = xml(result?.message ?? 'failed');
    return `<failure type="${result?.why ?? 'failed'}" message="${message}">${said}</failure>`;
  }
  if (status === 'interrupted')
    return '<failure type="interrupted" message="nobody knows whether it was done"/>';
  if (status === 'skipped') return `<skipped message="${skipReason ?? 'skipped'}"/>`;
  return status === 'done' ? '' : '<skipped message="not run"/>';
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML 1.0 has no place for most control characters, not even as entities. */
const xml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll(/[&<>"']/g, (c) => entities[c]!);
