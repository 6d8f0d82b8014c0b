import { actionText, indexOfStep, itemAt, judgementOf, stepState } from '@contract';
import { openQuestion, relativeTo } from '@told';
import { Copy } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { type Tab, tabs } from '../../addresses.ts';
import { useLook } from '../../api/look.ts';
import { IconButton } from '../../ui/button.tsx';
import { CommandText } from '../../ui/command-text.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/notice.tsx';
import { Looks } from './dock/frame.tsx';
import { MindNote } from './mind-note.tsx';
import { AttemptsPane } from './panes/attempts-pane.tsx';
import { OutputPane } from './panes/output-pane.tsx';
import type { PaneProps } from './panes/pane.ts';
import { ResultPane } from './panes/result-pane.tsx';
import type { Shown } from './shown.ts';
import { StepMenu } from './step-menu.tsx';

const ChangesPane = lazy(() => import('./panes/changes-pane.tsx').then((m) => ({ default: m.ChangesPane })));
const StoryPane = lazy(() => import('./panes/story-pane.tsx').then((m) => ({ default: m.StoryPane })));
const SummaryPane = lazy(() => import('./panes/summary-pane.tsx').then((m) => ({ default: m.SummaryPane })));
const EventsPane = lazy(() => import('./panes/events-pane.tsx').then((m) => ({ default: m.EventsPane })));

const names: Record<Tab, string> = {
  output: 'Output',
  result: 'Result',
  changes: 'Changes',
  attempts: 'Attempts',
  story: 'Story',
  events: 'Events',
  summary: 'Summary',
};

interface WorkProps extends Omit<PaneProps, 'stepId' | 'attempt'> {
  stepId: string | null;
}

export function Work({ shown, feed, stepId, search, go }: WorkProps) {
  const { run } = shown;
  const at = indexOfStep(run.plan, stepId ?? '');
  const step = run.plan?.steps[at];
  const state = itemAt(run.steps, at);
  if (stepId === null || step === undefined || state === undefined)
    return <p className="p-6 text-dim">This step is not in the plan at this moment.</p>;
  const tab = search.tab ?? (isOver(shown) && search.step === undefined ? 'summary' : 'output');
  const attempt = search.attempt ?? (state.attempts > 0 ? state.attempts - 1 : null);
  const pane = { shown, feed, stepId, attempt, search, go };
  const about = tab === 'output' || tab === 'result' || tab === 'attempts';
  return (
    <>
      <div
        role="tablist"
        aria-label="What to see"
        className="flex h-9 shrink-0 items-end gap-0.5 overflow-x-auto border-b px-4 max-md:px-1"
      >
        {tabs
          .filter((name) => name !== 'summary' || run.ended || name === tab)
          .map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={name === tab}
              ref={(element) => {
                if (name === tab) element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
              }}
              aria-controls="pane"
              onClick={() => go({ tab: name })}
              className={cx(
                '-mb-px h-9 shrink-0 border-b-2 px-2.5',
                name === tab ? 'border-text text-text' : 'border-transparent text-dim hover:text-text',
              )}
            >
              {name === 'attempts' && state.loop !== null ? 'Items' : names[name]}
              {name === 'attempts' && (state.loop?.count ?? state.attempts) > 1 ? (
                <span className="num ml-1.5 text-faint">{state.loop?.count ?? state.attempts}</span>
              ) : null}
              {name === 'story' && run.corrections.length > 0 ? (
                <span className="num ml-1.5 text-mind">{run.corrections.length}</span>
              ) : null}
            </button>
          ))}
      </div>
      {about ? <CommandLine shown={shown} stepId={stepId} /> : null}
      {about ? <Looked shown={shown} stepId={stepId} /> : null}
      {tab === 'output' || tab === 'result' ? (
        <MindNote shown={shown} stepId={stepId} attempt={attempt} />
      ) : null}
      <div id="pane" role="tabpanel" aria-labelledby={`tab-${tab}`} className="flex min-h-0 flex-1 flex-col">
        <Suspense fallback={<Skeleton rows={5} />}>
          {tab === 'output' ? <OutputPane {...pane} /> : null}
          {tab === 'result' ? <ResultPane {...pane} /> : null}
          {tab === 'changes' ? <ChangesPane {...pane} /> : null}
          {tab === 'attempts' ? <AttemptsPane {...pane} /> : null}
          {tab === 'story' ? <StoryPane {...pane} /> : null}
          {tab === 'events' ? <EventsPane {...pane} /> : null}
          {tab === 'summary' ? <SummaryPane {...pane} /> : null}
        </Suspense>
      </div>
    </>
  );
}

/** It had ended before anybody looked: what it came to is what they want to see first. */
const isOver = ({ run, liveFrom, live }: Shown): boolean => live && run.ended && run.seq < liveFrom;

/** What a look had against the step before it was tried, as long as it is not done. A question says it itself. */
function Looked({ shown: { run, chronicle }, stepId }: { shown: Shown; stepId: string }) {
  const looks = chronicle.judged(stepId)?.warnings ?? [];
  const isAsked = openQuestion(run)?.stepId === stepId;
  if (looks.length === 0 || isAsked || stepState(run, stepId)?.status === 'done') return null;
  return (
    <ul className="shrink-0 border-b px-4 py-2 max-md:px-3">
      <Looks looks={looks} />
    </ul>
  );
}

function CommandLine({ shown, stepId }: { shown: Shown; stepId: string }) {
  const { run, chronicle, live } = shown;
  const folded = useLook((look) => look.folded);
  // Its question says it, right below.
  const question = live && !folded ? openQuestion(run) : null;
  const isAsked = question?.stepId === stepId && (question.kind === 'approval' || question.kind === 'offer');
  const at = indexOfStep(run.plan, stepId);
  const step = run.plan!.steps[at]!;
  const judged = judgementOf(run, stepId);
  const known = judged
    ? { verdict: judged.verdict, action: judged.subject.action }
    : chronicle.judged(stepId);
  const { verb, text } = actionText(known?.action ?? step.action);
  const cwd = judged?.subject.cwd ?? run.session.cwd;
  const folder = relativeTo(run.workspace, cwd);
  return (
    <div className="group flex max-h-40 shrink-0 items-start gap-2.5 overflow-auto border-b px-4 py-2.5 max-md:px-3">
      <span className="mono shrink-0 text-faint">{verb ?? `${folder === '.' ? '' : `${folder} `}$`}</span>
      {isAsked ? (
        <span className="min-w-0 flex-1 text-faint">What is asked about stands below</span>
      ) : (
        <CommandText
          className="min-w-0 flex-1"
          text={text}
          verdict={verb === null ? (known?.verdict ?? null) : null}
        />
      )}
      <IconButton
        label="Copy the command"
        onClick={() => copyText(text)}
        className="-my-1 size-6.5! opacity-60 hover:opacity-100"
      >
        <Copy size={13} />
      </IconButton>
      <StepMenu shown={shown} step={step} state={itemAt(run.steps, at)!} />
    </div>
  );
}
