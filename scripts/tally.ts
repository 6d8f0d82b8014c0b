import { readFileSync } from 'node:fs';

export interface Count {
  passed: number;
  failed: number;
}

/** The last line of `npm test`, `npm run check` and `.ci/run`, which adds the other two up. */
export const tally = ({ passed, failed }: Count): string => `${passed} passed, ${failed} failed`;

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/**
 * Counts by vitest's JSON report. A file that failed without a failed test (it could not be loaded, a hook threw)
 * counts as one failure, and so does a runner that ended badly, or ran nothing, with nothing else to show for it.
 */
export function countTests(reportFile: string, exitCode: number | null): Count {
  const report = readReport(reportFile);
  if (report === null) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + broken.length;
  const passed = report.numPassedTests;
  const isBroken = exitCode !== 0 || passed === 0;
  return { passed, failed: failed === 0 && isBroken ? 1 : failed };
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}
