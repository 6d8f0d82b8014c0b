import { type Redirection, UNKNOWN } from '../shell/index.ts';
import { guards, sessionGuards } from './guards.ts';
import { placeUnknown, writeRule } from './path-rules.ts';
import { reachedByWord } from './reached.ts';
import { isShown } from './safe/kinds.ts';
import { report, type ShellScope } from './scope.ts';
import { isSecret, secretRead } from './secret-paths.ts';
import type { Stdin } from './types.ts';
import { type WordScope, wordOf } from './words.ts';

/** Judges one redirection; answers with the standard input that it gives the command, if it does. */
export function judgeRedirection(
  redirect: Redirection,
  scope: ShellScope,
  words: WordScope,
): Stdin | undefined {
  const span = scope.at(redirect.pos, redirect.end);
  const descriptor = redirect.descriptor;
  if (descriptor?.type === 'FileDescriptorVariable') report(scope, guards.descriptor, span);
  const isStdin = !descriptor || (descriptor.type === 'FileDescriptor' && descriptor.value === 0);
  if (redirect.type === 'HereDoc') {
    if (redirect.closing === undefined) report(scope, guards.unproven, span);
    if (!isStdin) report(scope, guards.descriptor, span);
    // Without quotes around the delimiter, the shell takes these escapes away.
    const { body, delimiter } = redirect;
    const text = delimiter?.quoted ? body.text : body.text.replace(/\\([$`\\])|\\\n/g, '$1');
    return { kind: 'text', text, span: scope.at(body.pos, body.end) };
  }
  if (!redirect.target) {
    report(scope, guards.parseError, span);
    return undefined;
  }
  const target = wordOf(redirect.target, words);
  if (redirect.type === 'HereString') {
    const known = !target.value.includes(UNKNOWN);
    if (!isStdin) report(scope, guards.descriptor, span);
    return known ? { kind: 'text', text: target.value, span } : { kind: 'pipe', from: [] };
  }
  const raw = redirect.target.text;
  const op = redirect.operator;
  if (op === '<') {
    // Opened again by its name, as `> /dev/stdout` does, the file would be written.
    if (descriptor?.type === 'FileDescriptor' && /^[12]$/.test(String(descriptor.value)))
      report(scope, { ...guards.descriptor, level: 'dangerous' }, span);
    readsFrom(target.value, raw, scope, span);
    return raw.startsWith('<(') ? { kind: 'pipe', from: [] } : { kind: 'file', path: target.value };
  }
  if (op === '<&' || op === '>&') {
    if (/^(?:\d+|-)$/.test(raw))
      return op === '<&' && raw !== '0' && raw !== '-' && isStdin ? { kind: 'pipe', from: [] } : undefined;
    if (/^\d+-$/.test(raw) || raw.startsWith('-') || op === '<&') {
      report(
        scope,
        raw.startsWith('-') ? { ...guards.descriptor, level: 'dangerous' } : guards.descriptor,
        span,
      );
      return op === '<&' && isStdin ? { kind: 'pipe', from: [] } : undefined;
    }
  }
  if (op === '>&' && descriptor) report(scope, guards.descriptor, span);
  if (target.opaque) report(scope, placeUnknown, span);
  if (reachedByWord(target, scope)) report(scope, sessionGuards.reaches, span);
  writesTo(target.value, scope, span);
  return op === '<>' ? { kind: 'file' } : undefined;
}

function readsFrom(path: string, raw: string, scope: ShellScope, span: readonly [number, number]): void {
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) writesTo(path, scope, span);
  if (isSecret(path, scope)) report(scope, secretRead, span);
  if (path.includes(UNKNOWN) || /[*?[]/.test(path) || !isShown(path, scope))
    report(scope, guards.unproven, span);
  if (!raw.startsWith('<(') && !raw.startsWith('>(')) scope.findings.path(path.replaceAll(UNKNOWN, '…'));
}

function writesTo(path: string, scope: ShellScope, span: readonly [number, number]): void {
  if (path === '/dev/null') return;
  const rule = writeRule(path, scope);
  report(scope, rule ?? guards.redirection, span);
  if (rule) report(scope, guards.redirection, span);
  if (!path.includes(UNKNOWN)) scope.findings.path(path);
}

/** The file that a redirection writes; `whole`: standard output goes there, so that all of it is what is printed. */
export function outputOf(redirect: Redirection, words: WordScope) {
  const { operator: op, descriptor } = redirect;
  if (redirect.type !== 'Redirect' || !redirect.target || !/>/.test(op ?? '') || op === '<>')
    return undefined;
  const path = wordOf(redirect.target, words).value;
  if (path === '/dev/null' || (op === '>&' && /^(?:\d+-?|-)$/.test(redirect.target.text))) return undefined;
  const whole = !descriptor || (descriptor.type === 'FileDescriptor' && descriptor.value === 1);
  return { path, whole, appends: /^&?>>$/.test(op ?? '') };
}
