import { stepState } from '@contract';
import { capital, duration, failureWords } from '@told';
import { useMemo, useState } from 'react';
import { plainText } from '../../../model/ansi.ts';
import type { Attempt } from '../../../model/chronicle.ts';
import { itemsOf } from '../../../model/items.ts';
import { mendsOf } from '../../../model/mending.ts';
import { clockTime } from '../../../model/time.ts';
import { cx } from '../../../ui/cx.ts';
import { MendNote } from '../mind-note.tsx';
import { useKnown } from '../shown.ts';
import { ItemsPane } from './items-pane.tsx';
import type { PaneProps } from './pane.ts';

/** Every attempt with what was changed before it, and two of them side by side. */
export function AttemptsPane(props: PaneProps) {
  const { shown, stepId, go } = props;
  const { chronicle, run } = shown;
  const attempts = chronicle.attempts(stepId);
  const state = stepState(run, stepId);
  const items = useMemo(() => (state === undefined ? null : itemsOf(state, attempts)), [state, attempts]);
  const mends = mendsOf(run).filter((mend) => mend.stepId === stepId);
  const [left, setLeft] = useState<number | null>(null);
  const isKnown = useKnown(shown, [stepId]);
  if (items !== null) return <ItemsPane {...props} items={items} />;
  if (attempts.length === 0) {
    const begun = state?.attempts ?? 0;
    return (
      <p className="p-4 text-faint">{begun > 0 && !isKnown ? 'Reading the journal…' : 'Not run yet.'}</p>
    );
  }
  const latest = attempts.at(-1)!;
  const other = attempts.find(({ index }) => index === left) ?? attempts.at(-2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="min-h-0 flex-1 overflow-auto">
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.index} className="border-b">
            <div className="flex min-h-8 items-center gap-3 px-4">
              <span className="num w-6 text-faint">{attempt.index + 1}</span>
              <Outcome attempt={attempt} />
              <span className="num ml-auto text-faint">{clockTime(attempt.startedAt)}</span>
              <span className="num w-16 text-right text-faint">
                {attempt.result === null ? '' : duration(attempt.result.durationMs)}
              </span>
              <button
                type="button"
                className="rounded-sm px-1 text-dim underline-offset-4 hover:text-text hover:underline"
                onClick={() => go({ tab: 'output', step: stepId, attempt: attempt.index })}
              >
                Output
              </button>
              {attempts.length > 2 && attempt === latest ? <span className="w-18" /> : null}
              {attempts.length > 2 && attempt !== latest ? (
                <button
                  type="button"
                  aria-pressed={other === attempt}
                  className={cx(
                    'w-18 rounded-sm px-1 hover:text-text',
                    other === attempt ? 'text-text' : 'text-faint',
                  )}
                  onClick={() => setLeft(attempt.index)}
                >
                  Compare
                </button>
              ) : null}
            </div>
            <div className="grid gap-2 px-4 pb-2 empty:hidden">
              {mends
                .filter(({ attemptIndex }) => attemptIndex === attempt.index)
                .map((mend) => (
                  <MendNote key={mend.id} mend={mend} bare />
                ))}
            </div>
          </li>
        ))}
      </ol>
      {other === undefined ? null : (
        <div className="grid grid-cols-2 max-md:grid-cols-1">
          <Tail attempt={other} other={latest} />
          <Tail attempt={latest} other={other} />
        </div>
      )}
    </div>
  );
}

function Outcome({ attempt }: { attempt: Attempt }) {
  if (attempt.outcome === 'done') return <span className="text-done">Done</span>;
  if (attempt.outcome === 'failed')
    return <span className="text-fail">{capital(failureWords(attempt.result))}</span>;
  if (attempt.outcome === 'interrupted') return <span className="text-wait">Interrupted</span>;
  return <span>Running</span>;
}

/** The end of what it wrote; lines that the other attempt did not write stand out. */
function Tail({ attempt, other }: { attempt: Attempt; other: Attempt }) {
  const lines = tailOf(attempt);
  const theirs = new Set(tailOf(other));
  return (
    <section className="min-w-0 border-b even:border-l">
      <h3 className="border-b px-4 py-1.5 text-dim">Attempt {attempt.index + 1}, how it ended</h3>
      <pre className="mono max-h-80 overflow-auto bg-code px-4 py-2">
        {lines.length === 0 ? <span className="text-faint">It wrote nothing.</span> : null}
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <div key={at} className={theirs.has(line) ? 'text-faint' : 'text-text'}>
            {line || ' '}
          </div>
        ))}
      </pre>
    </section>
  );
}

function tailOf({ result }: Attempt): string[] {
  if (result === null) return [];
  const text = [result.stdoutTail, result.stderrTail].filter((part) => part !== '').join('\n');
  return text === '' ? [] : text.trimEnd().split('\n').slice(-60).map(plainText);
}
