import { useVirtualizer } from '@tanstack/react-virtual';
import { type Moment, storyOf } from '@told';
import { useEffect, useMemo, useRef } from 'react';
import { useFeed } from '../../../api/use-run.ts';
import { type Mend, mendsOf } from '../../../model/mending.ts';
import type { Tape } from '../../../model/tape.ts';
import { clockTime, workedWords } from '../../../model/time.ts';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/notice.tsx';
import { Prose } from '../../../ui/prose.tsx';
import { MendNote } from '../mind-note.tsx';
import type { PaneProps } from './pane.ts';
import { PlanChanges } from './plan-changes.tsx';
import { Scrubber } from './scrubber.tsx';

const dots: Record<Moment['tone'], string> = {
  quiet: 'bg-node',
  done: 'bg-done',
  fail: 'bg-fail',
  wait: 'bg-wait',
  mind: 'bg-mind',
};

/** What happened, as it would be told; and a slider that takes the whole page back to any moment. */
export function StoryPane({ shown, feed, search, go }: PaneProps) {
  const version = useFeed(feed, (state) => state.version);
  const { tape, chronicle, state, whole } = feed.getState();
  const latest = state!;
  useEffect(whole, [whole]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tape and chronicle grow in place; `version` says when
  const story = useMemo(() => (chronicle.complete ? storyOf(tape.events) : null), [tape, chronicle, version]);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: story?.length ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => 34,
    getItemKey: (at) => story?.[at]?.seq ?? at,
    overscan: 16,
    paddingStart: 8,
    paddingEnd: 8,
  });
  if (story === null) return <Reading tape={tape} />;
  const begun = story[0]?.at ?? 0;
  const mends = new Map(mendsOf(latest).map((mend) => [mend.id, mend]));
  const now = search.at ?? tape.last;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <ol aria-label="Story" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <MomentRow
              key={key}
              place={{ ref: virtual.measureElement, index, start }}
              moment={story[index]!}
              mend={mends.get(story[index]!.correctionId ?? '')}
              begun={begun}
              ahead={story[index]!.seq > now}
              tape={tape}
              go={go}
            />
          ))}
        </ol>
      </div>
      <Scrubber
        story={story}
        last={tape.last}
        at={now}
        run={shown.run}
        onChange={(at) => go({ at: at >= tape.last ? undefined : at })}
      />
    </>
  );
}

/** How far the journal has been read, where that takes a while. */
export function Reading({ tape }: { tape: Tape }) {
  const known = tape.events.length;
  return (
    <>
      <Skeleton rows={6} />
      {known === 0 ? null : (
        <p role="status" className="num px-4 text-faint">
          {known.toLocaleString('en')} of {tape.last.toLocaleString('en')} events read
        </p>
      )}
    </>
  );
}

interface MomentRowProps {
  place: { ref(element: Element | null): void; index: number; start: number };
  moment: Moment;
  mend: Mend | undefined;
  begun: number;
  /** It has not happened yet at the moment that is looked at. */
  ahead: boolean;
  tape: Tape;
  go: PaneProps['go'];
}

function MomentRow({ place, moment, mend, begun, ahead, tape, go }: MomentRowProps) {
  const { tone, patch } = moment;
  // Its note says all that the line would.
  const isShown = mend !== undefined && !ahead;
  const colour = ahead ? 'text-faint' : tone === 'mind' ? 'text-mind' : tone === 'quiet' ? 'text-dim' : '';
  return (
    <li
      ref={place.ref}
      data-index={place.index}
      className="absolute top-0 left-0 grid w-full grid-cols-[64px_20px_minmax(0,1fr)] px-4 max-md:px-2"
      style={{ transform: `translateY(${place.start}px)` }}
    >
      <button
        type="button"
        title={`Show the run at ${clockTime(moment.at)}`}
        className="num h-7 text-left text-faint hover:text-text"
        onClick={() => go({ at: moment.seq, tab: 'story' })}
      >
        {workedWords(moment.at - begun)}
      </button>
      <span aria-hidden="true" className="relative flex justify-center">
        <span className="absolute inset-y-0 w-px bg-line" />
        <span
          className={cx(
            'relative mt-2.5 size-2 rounded-full ring-3 ring-bg',
            ahead ? 'bg-line-strong' : dots[tone],
          )}
        />
      </span>
      <div className="min-w-0 pb-1.5 pl-2">
        <p className="flex min-h-7 flex-wrap items-center gap-x-2">
          <span className={colour}>{moment.title}</span>
          {moment.detail === '' || isShown ? null : (
            <span className="truncate text-faint">
              <Prose text={moment.detail} />
            </span>
          )}
        </p>
        {isShown ? <MendNote mend={mend} bare /> : null}
        {patch === null || ahead ? null : (
          <PlanChanges patch={patch} before={() => tape.at(moment.seq - 1)} />
        )}
      </div>
    </li>
  );
}
