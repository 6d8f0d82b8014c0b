import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import {
  planStep,
  type RunState,
  type StepResult,
  type StepStatus,
  type StoredEvent,
} from '../../../core/contract/index.ts';
import { duration } from '../../../core/contract/told/index.ts';
import { secretValues } from '../../../core/risk/secrets/index.ts';
import { isAddress } from '../command.ts';
import type { Context } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { isBookkeeping, renderEventLine } from '../render/event.ts';
import { renderSummary } from '../render/summary.ts';
import { cleanOutput, visible } from '../render/text/clean.ts';
import type { RunScreen } from './run-view.ts';

/**
 * For GitHub Actions: a group for each step, annotations at the line of the plan that failed, secrets masked, a
 * summary. What a step prints stands between stop-commands marks, so that it cannot speak to the runner.
 */
export function createGithubView(context: Context, id: string): RunScreen & { note(text: string): void } {
  const { stdout, env, cwd } = context;
  let atLineStart = true;
  let pause: string | null = null;
  const line = (text: string) => {
    if (!atLineStart) stdout.write('\n');
    atLineStart = true;
    stdout.write(`${text}\n`);
  };
  const endOutput = () => {
    if (pause === null) return;
    line(`::${pause}::`);
    pause = null;
  };
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  for (const value of secretValues(Object.fromEntries(defined))) line(`::add-mask::${data(value)}`);

  return {
    event(stored, state) {
      endOutput();
      for (const text of eventLines(stored, state, { cwd, root: env['GITHUB_WORKSPACE'] })) line(text);
    },
    note(text) {
      endOutput();
      line(visible(text));
    },
    output(bytes) {
      if (pause === null) {
        pause = randomBytes(12).toString('hex');
        line(`::stop-commands::${pause}`);
      }
      stdout.write(bytes);
      atLineStart = bytes.at(-1) === 10;
    },
    suspend: () => {},
    resume: () => {},
    finish(state, changes) {
      endOutput();
      const summary = renderSummary(state, { ...lookOf(context, 'stdout'), id, now: Date.now(), changes });
      for (const text of summary) line(text);
      const file = env['GITHUB_STEP_SUMMARY'];
      if (file) appendFileSync(file, markdownSummary(state));
      // For the steps of the job that come after. None of these is anybody's text.
      const outputs = env['GITHUB_OUTPUT'];
      const found = { run: id, state: state.status, 'stop-reason': state.stopReason ?? '' };
      const lines = Object.entries(found).map(([name, value]) => `${name}=${value}\n`);
      if (outputs) appendFileSync(outputs, lines.join(''));
    },
  };
}

/** Where the plan's file was named from, and the repository that annotations are of. */
interface Where {
  cwd: string;
  root: string | undefined;
}

function eventLines({ event }: StoredEvent, state: RunState, where: Where): string[] {
  if (isBookkeeping(event)) return [];
  const text = renderEventLine(event, state);
  switch (event.type) {
    case 'step-started':
      return [`::group::${data(text)}`];
    case 'item-completed':
      return ['::endgroup::', text];
    case 'step-completed':
      return event.by === 'person' ? [text] : ['::endgroup::', text];
    case 'step-failed':
      return [
        '::endgroup::',
        annotation(state, event.stepId, failureText(event.result) ?? text, where),
        text,
      ];
    default:
      return [text];
  }
}

/** What went wrong, and the last that the step said about it. */
function failureText({ message, stderrTail, stdoutTail }: StepResult): string | undefined {
  const said = (stderrTail.trim() || stdoutTail.trim()).split('\n').map(cleanOutput).at(-1) ?? '';
  return message === undefined || said === '' || message.includes(said) ? message : `${message}: ${said}`;
}

/** At a file of the repository: what is fetched, or lies elsewhere, has no line there. */
function annotation(state: RunState, stepId: string, message: string, { cwd, root = cwd }: Where): string {
  const step = planStep(state, stepId);
  const source = step?.source;
  const within = source === undefined ? '' : relative(root, resolve(cwd, source.file));
  const file = /^\.\.(?:\/|$)/.test(within) || isAddress(source?.file ?? '') ? null : within;
  const place =
    source === undefined || file === null
      ? ''
      : `file=${property(file)},line=${source.line},endLine=${source.endLine},`;
  return `::error ${place}title=${property(step?.title ?? stepId)}::${data(message)}`;
}

/** How the runner wants what it reads as a message, and as a property. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const marks: Record<StepStatus, string> = {
  done: '✅',
  failed: '❌',
  skipped: '⏭️',
  interrupted: '❓',
  pending: '▫️',
  running: '▶️',
};

function markdownSummary(state: RunState): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
  const rows = state.steps.map((step, index) => {
    const title = state.plan?.steps[index]?.title ?? step.id;
    const time = step.result === null ? '' : duration(step.result.durationMs);
    return `| ${marks[step.status]} | ${cell(title)} | ${time} | ${cell(step.result?.message ?? '')} |`;
  });
  const head = [
    `### ${cell(state.plan?.goal ?? 'Planwright')}`,
    '',
    '| | Step | Time | |',
    '| --- | --- | ---: | --- |',
  ];
  return [...head, ...rows, '', ''].join('\n');
}
