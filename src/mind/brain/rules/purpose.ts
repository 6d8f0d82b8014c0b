import { readCommand } from '../../../core/shell/index.ts';

/**
 * Whether the new text hides a failure, drops a check or forces something that the old text did not, and that the
 * tool did not name. Returns the sentence that says what, or null. A net below the rules: a rule that is caught by it
 * is wrong, but its proposal still goes nowhere.
 */
export function weakens(before: string, after: string, output: string): string | null {
  const isNew = (pattern: RegExp): boolean => pattern.test(after) && !pattern.test(before);
  if (isNew(hiding)) return 'It hides a failure.';
  if (isNew(/2>\s*\/dev\/null|&>\s*\/dev\/null/)) return 'It hides what the command says.';
  const named = (flag: string): boolean =>
    output.includes(flag) || (flag === '--force' && /(?<![\w-])-f(?![\w-])/.test(output));
  for (const flag of forcing) {
    const pattern = new RegExp(`(^|\\s)${flag}(?![\\w-])`);
    if (isNew(pattern) && !named(flag)) return `It adds ${flag}, which the tool did not name.`;
  }
  for (const flag of never) {
    if (isNew(new RegExp(`(^|\\s)${flag}(?![\\w-])`))) return `It adds ${flag}.`;
  }
  return lostPrograms(before, after);
}

/** An end that succeeds whatever came before it. */
const hiding =
  /(?:\|\||;|\n)\s*(?:(?:\/usr)?(?:\/bin\/)?true(?![\w-])|:(?=\s|$|[;)}])|exit\s+0\s*(?:$|[;)}]))|\|\|\s*(?:echo|printf)\b|\bset\s+\+e\b/m;

/** Flags that push past a check; allowed where the tool itself names them as the way. */
const forcing = ['--force', '--legacy-peer-deps', '--no-frozen-lockfile'];

/** Flags that switch a check off. No tool can talk a rule into them. */
const never = [
  '--no-verify',
  '--insecure',
  '--no-check-certificate',
  '--force-with-lease',
  '--break-system-packages',
  '--no-gpg-sign',
  '--skip-tests',
  '-DskipTests',
  '--allow-unauthenticated',
  '--no-preserve-root',
  '--trusted-host',
  'StrictHostKeyChecking=no',
  'http.sslVerify=false',
  '--no-check',
  '--hard',
];

/** A correction may add programs and exchange one; it may not end up running fewer. */
function lostPrograms(before: string, after: string): string | null {
  const old = readCommand(before);
  const now = readCommand(after);
  if (old.broken || now.broken || now.simples.length >= old.simples.length) return null;
  return 'It leaves out a part of the command.';
}
