import { useNavigate, useSearch } from '@tanstack/react-router';
import { focusOf, helpWanted, openQuestion, titleOf, visible } from '@told';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import { type RunSearch, tabs } from '../../addresses.ts';
import { ask, goOn } from '../../api/ask.ts';
import type { FeedStore } from '../../api/feed.ts';
import { setLook, useLook } from '../../api/look.ts';
import { controlsOf } from '../../model/modes.ts';
import { layoutSpine, nextFailed } from '../../model/spine.ts';
import { useKeys } from '../../shell/keys.ts';
import { cx } from '../../ui/cx.ts';
import { Dock } from './dock/dock.tsx';
import { Links } from './links.tsx';
import { PaneEdge, spineStyle } from './pane-edge.tsx';
import { PastBanner } from './past-banner.tsx';
import { RunHeader } from './run-header.tsx';
import type { Shown } from './shown.ts';
import { Spine } from './spine.tsx';
import { UnderWay } from './under-way.tsx';
import { Work } from './work.tsx';

export function RunView({ shown, feed }: { shown: Shown; feed: FeedStore }) {
  const { run, id } = shown;
  const search = useSearch({ from: '/runs/$id' });
  const navigate = useNavigate({ from: '/runs/$id' });
  const plan = run.plan!;
  const { corrections } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the run, only these make rows come and go
  const rows = useMemo(() => layoutSpine(run), [plan, corrections]);
  const selected = search.step ?? focusOf(run);
  // On a phone either the spine or the step is shown; a question comes with its step.
  const inDetail = search.step !== undefined || search.tab !== undefined;
  const go = useCallback(
    (change: RunSearch) =>
      void navigate({
        search: (before) => dropUndefined({ ...before, ...change }),
        // On a phone a step is a screen of its own: Back leads to the spine and not out of the run.
        replace: !(isPhone.matches && !inDetail && (change.step !== undefined || change.tab !== undefined)),
      }),
    [navigate, inDetail],
  );
  const select = useCallback(
    (step: string, attempt: number | null) => go({ step, attempt: attempt ?? undefined, line: undefined }),
    [go],
  );
  const move = (by: number) => {
    const at = rows.findIndex((row) => row.stepId === selected && row.attempt === (search.attempt ?? null));
    const next = rows[Math.min(rows.length - 1, Math.max(0, (at < 0 ? 0 : at) + by))];
    if (next !== undefined) select(next.stepId, next.attempt);
  };
  const controls = controlsOf(run);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const next = nextFailed(rows, run, selected);
      if (next !== undefined) select(next.stepId, next.attempt);
    },
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    '.': () => go({ step: undefined, attempt: undefined, line: undefined, at: undefined }),
    f: () => setLook({ follow: !useLook.getState().follow }),
    p: () => {
      if (controls.pause) void ask(id, { type: 'pause-requested' });
      else if (controls.resume) void goOn(id);
    },
    ...Object.fromEntries(tabs.map((tab, at) => [String(at + 1), () => go({ tab })])),
  });
  const question = shown.live ? (openQuestion(run) ?? helpWanted(run)) : null;
  const detail = useRef<HTMLElement>(null);
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <div>
        <RunHeader shown={shown} />
        <UnderWay shown={shown} />
        <Links id={id} />
        {shown.live ? null : <PastBanner shown={shown} feed={feed} go={go} />}
        {run.ended && !inDetail ? (
          <button
            type="button"
            onClick={() => go({ tab: 'summary' })}
            className="hidden h-10 w-full items-center justify-between border-b px-3 max-md:flex"
          >
            What it came to <ChevronRight size={16} className="text-faint" />
          </button>
        ) : null}
      </div>
      <div
        style={spineStyle(useLook((look) => look.spine))}
        className="grid min-h-0 grid-cols-[var(--spine)_auto_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)] max-md:grid-rows-[minmax(0,1fr)_auto]"
      >
        <Spine
          shown={shown}
          rows={rows}
          selected={selected}
          attempt={search.attempt ?? null}
          onSelect={select}
          className={cx('overflow-hidden', inDetail && 'max-md:hidden')}
        />
        <PaneEdge />
        <section
          ref={detail}
          aria-label="Step"
          className={cx(
            'grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto]',
            inDetail ? 'max-md:row-span-2' : 'max-md:grid-rows-[auto]',
          )}
        >
          <div className={cx('flex min-h-0 min-w-0 flex-col', !inDetail && 'max-md:hidden')}>
            <button
              type="button"
              onClick={() => go({ step: undefined, tab: undefined, attempt: undefined, line: undefined })}
              className="hidden h-9 items-center gap-1 border-b px-2 text-dim max-md:flex"
            >
              <ChevronLeft size={16} className="shrink-0" /> All steps
              <span className="min-w-0 truncate pl-2 text-text">
                {selected === null ? '' : visible(titleOf(plan, selected))}
              </span>
            </button>
            <Work shown={shown} feed={feed} stepId={selected} search={search} go={go} />
          </div>
          {question === null ? null : <Dock shown={shown} question={question} />}
        </section>
      </div>
    </div>
  );
}

const isPhone = matchMedia('(max-width: 767px)');

const dropUndefined = (search: RunSearch): RunSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
