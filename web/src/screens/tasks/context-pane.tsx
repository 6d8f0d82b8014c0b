import type { TaskState } from '@tasks';
import { ago, capital, visible } from '@told';
import { RichText } from '../../ui/rich-text.tsx';
import { useNow } from '../../ui/use-now.ts';

/** What later prompts are told of what was done before. */
export function ContextPane({ state }: { state: TaskState }) {
  const now = useNow(true, 30_000);
  const { context, answers } = state;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="min-h-0 flex-1 overflow-auto px-4 py-3 max-md:px-3">
      <p className="mb-3 text-faint">What agents after this are told of what was done before.</p>
      {context.length === 0 && answers.length === 0 ? <p className="text-dim">Nothing yet.</p> : null}
      <ul className="grid max-w-190 gap-4">
        {context.map(({ run, entryType, source, summary, at }) => (
          <li key={`${run} ${entryType} ${at}`}>
            <p className="text-small">
              <span className="font-medium">{visible(capital(entryType.replaceAll('_', ' ')))}</span>{' '}
              <span className="text-faint">
                {source} · {ago(at, now)}
              </span>
            </p>
            <RichText text={summary} />
          </li>
        ))}
        {answers.map(({ question, text }) => (
          <li key={question}>
            <p className="text-small">
              <span className="font-medium">It asked</span>{' '}
              <span className="text-dim">{visible(question)}</span>
            </p>
            <RichText text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}
