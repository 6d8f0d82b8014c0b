import type { Turn } from '@contract';
import { visible } from '@told';

/** What was tried in another way because a tool said that there is one, and what came of it. */
export function Corrections({ turn: { corrections, correctionFailed } }: { turn: Turn }) {
  if (corrections.length === 0 && correctionFailed === null) return null;
  const failed = correctionFailed !== null;
  const succeeded = corrections.at(-1)?.status === 'succeeded';
  return (
    <section
      aria-label="Corrections"
      className="min-w-0 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2"
    >
      <h3 className="font-semibold text-mind">
        {failed ? 'No other way worked' : succeeded ? 'Another way worked' : 'Trying another way'}
        <span className="mono ml-2 font-normal text-[11.5px] text-faint">SELF_CORRECT_ATTEMPT</span>
      </h3>
      <ol className="mt-1 grid gap-1.5">
        {corrections.map(({ n, signal, status }) => (
          <li key={n} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
            <span className="num text-right text-faint">{n}</span>
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p>
                <code className="mono">{visible(signal.originalTool)}</code>{' '}
                <span className="text-dim">{visible(signal.originalError)}</span>
              </p>
              <p className="text-dim">
                {visible(signal.suggestedApproach)} With{' '}
                <code className="mono">{visible(signal.fallbackTools.join(' or '))}</code>:{' '}
                <b className="font-medium text-text">
                  {status === 'succeeded'
                    ? 'it worked'
                    : failed || n < corrections.length
                      ? 'it failed too'
                      : 'tried'}
                </b>
              </p>
            </div>
          </li>
        ))}
      </ol>
      {failed ? (
        <p className="mt-1.5 font-medium text-fail">
          Given up after {corrections.length} attempts: the model had to say what was not done.
        </p>
      ) : null}
    </section>
  );
}
