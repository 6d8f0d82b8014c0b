import { type ChatState, type Turn, turnsOf } from '@contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { visible } from '@told';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ChatFeedStore } from '../../api/chat-feed.ts';
import { useChat } from '../../api/use-chat.ts';
import { IconButton } from '../../ui/button.tsx';
import { TurnView } from './turn-view.tsx';

interface TranscriptProps {
  feed: ChatFeedStore;
  state: ChatState;
  /** What stands after the last turn. */
  children?: ReactNode;
}

/** Only turns in sight are there, and only those are fetched. It stays at its end while it is looked at there. */
export function Transcript({ feed, state, children }: TranscriptProps) {
  const earlier = useChat(feed, (now) => now.earlier);
  const known = useChat(feed, (now) => now.known);
  const notices = useChat(feed, (now) => now.notices);
  const { id, want } = feed.getState();
  const recent = useMemo(() => turnsOf({ past: state.past, turn: state.turn }), [state.past, state.turn]);
  const count = earlier.length + recent.length;
  const turnAt = (at: number): Turn | undefined =>
    at < earlier.length ? known.get(earlier[at]!) : recent[at - earlier.length];
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  const [away, setAway] = useState(false);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => 180,
    getItemKey: (at) => (at < earlier.length ? earlier[at]! : (recent[at - earlier.length]?.n ?? at)),
    overscan: 3,
    // It is seen from its end on: what stands at its beginning is not made first.
    initialOffset: () => count * 180,
  });
  const items = virtual.getVirtualItems();
  const missing = items.flatMap(({ index }) =>
    index < earlier.length && !known.has(earlier[index]!) ? [earlier[index]!] : [],
  );
  const wanted = missing.join(',');
  useEffect(() => {
    for (const n of wanted === '' ? [] : wanted.split(',')) want(Number(n));
  }, [wanted, want]);
  useLayoutEffect(() => {
    if (inner.current === null) return;
    const watch = new ResizeObserver(() => {
      if (pinned.current) toEnd(box.current);
    });
    watch.observe(inner.current);
    return () => watch.disconnect();
  }, []);
  // Whoever sends a message wants to see what comes of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: this says that one was sent
  useLayoutEffect(() => {
    pinned.current = true;
    toEnd(box.current);
  }, [state.turns]);
  return (
    <div className="relative min-h-0">
      <div
        ref={box}
        role="log"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          pinned.current = scrollHeight - scrollTop - clientHeight < 40;
          setAway(!pinned.current);
        }}
        className="h-full overflow-auto"
      >
        <div ref={inner} className="pt-2 pb-4">
          <div className="relative" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start, key }) => {
              const turn = turnAt(index);
              return (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  className="absolute top-0 left-0 w-full"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {turn === undefined ? (
                    <div
                      role="status"
                      aria-label="Loading"
                      className="motion-breathe mx-auto h-40 max-w-200 px-4 py-3"
                    >
                      <div className="ml-auto h-9 w-1/2 rounded-[10px] bg-line" />
                    </div>
                  ) : (
                    <TurnView chat={id} state={state} turn={turn} />
                  )}
                </div>
              );
            })}
          </div>
          {notices.map(({ seq, text }) => (
            <p
              key={seq}
              role="status"
              className="mx-auto max-w-200 px-4 py-1 text-center text-faint max-md:px-3"
            >
              {visible(text)}
            </p>
          ))}
          {children}
        </div>
      </div>
      {away ? (
        <IconButton
          label="To the end"
          onClick={() => {
            pinned.current = true;
            toEnd(box.current);
          }}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full! border border-line-strong bg-raised shadow-overlay hover:bg-raised"
        >
          <ArrowDown size={15} />
        </IconButton>
      ) : null}
    </div>
  );
}

function toEnd(element: HTMLElement | null): void {
  if (element !== null) element.scrollTop = element.scrollHeight;
}
