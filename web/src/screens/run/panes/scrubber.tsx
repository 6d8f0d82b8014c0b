import type { RunState } from '@contract';
import { type Moment, tally } from '@told';
import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../../ui/button.tsx';

interface ScrubberProps {
  story: readonly Moment[];
  last: number;
  at: number;
  run: RunState;
  onChange(at: number): void;
}

const colours: Record<Moment['tone'], string> = {
  quiet: 'var(--node)',
  done: 'var(--done)',
  fail: 'var(--fail)',
  wait: 'var(--wait)',
  mind: 'var(--mind)',
};

/** Where something failed, waited or was mended. */
const isMark = ({ tone }: Moment): boolean => tone !== 'quiet' && tone !== 'done';

/** Drag, use the arrow keys, or let it play. */
export function Scrubber({ story, last, at, run, onChange }: ScrubberProps) {
  const [playing, setPlaying] = useState(false);
  const begun = useRef(false);
  useEffect(() => {
    if (!playing) return;
    // From the end it begins anew: the address has yet to follow.
    if (at >= last && begun.current) return setPlaying(false);
    begun.current = true;
    const timer = setTimeout(() => onChange(Math.min(last, at + Math.max(1, Math.round(last / 200)))), 80);
    return () => clearTimeout(timer);
  }, [playing, at, last, onChange]);
  const { done, total } = tally(run);
  const place = (seq: number) => `${(Math.max(0, seq - 1) / Math.max(1, last - 1)) * 100}%`;
  return (
    <div className="flex h-12 shrink-0 items-center gap-3 border-t px-4 max-md:px-2">
      <IconButton
        label={playing ? 'Stop playing' : 'Play the run again'}
        onClick={() => {
          begun.current = at < last;
          if (!playing && at >= last) onChange(1);
          setPlaying(!playing);
        }}
      >
        {playing ? <Pause size={15} /> : <Play size={15} />}
      </IconButton>
      <div className="relative h-8 flex-1">
        <div aria-hidden="true" className="absolute inset-x-0 top-[15px] h-0.5 rounded-full bg-line-strong" />
        <div
          aria-hidden="true"
          className="absolute top-[15px] left-0 h-0.5 rounded-full bg-dim"
          style={{ width: place(at) }}
        />
        {story
          .filter(isMark)
          .slice(0, 400)
          .map(({ seq, tone }) => (
            <span
              key={seq}
              aria-hidden="true"
              className="-translate-x-1/2 absolute top-[12px] h-2 w-0.75 rounded-full"
              style={{ left: place(seq), background: colours[tone] }}
            />
          ))}
        <input
          type="range"
          aria-label="Moment of the run"
          aria-valuetext={`event ${at} of ${last}, ${done} of ${total} steps done`}
          min={1}
          max={last}
          value={at}
          onChange={(event) => {
            setPlaying(false);
            onChange(Number(event.target.value));
          }}
          className="scrub absolute inset-0 w-full"
        />
      </div>
      <span className="num w-24 text-right text-faint">
        {at} / {last}
      </span>
    </div>
  );
}
