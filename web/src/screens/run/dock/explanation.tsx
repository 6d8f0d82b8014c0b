import type { Explained, Step } from '@contract';
import { actionText } from '@contract';
import { capital } from '@told';
import { useExplanation } from '../../../api/queries.ts';
import type { Shown } from '../shown.ts';

type Command = Explained['explanation']['commands'][number];
const joints: Record<Command['joined'], string> = {
  first: '',
  then: 'then ',
  and: 'if that succeeds, ',
  or: 'or else ',
  pipe: 'its output goes to ',
  inside: 'inside it, ',
};

/** What a step does, word by word where that is known. */
export function Explanation({ shown, step }: { shown: Shown; step: Step }) {
  const { action } = step;
  const command =
    action.kind === 'run-command' || action.kind === 'start'
      ? action.command
      : action.kind === 'run-script'
        ? action.script
        : null;
  const { data, error } = useExplanation(command, shown.run.session.cwd, shown.run.workspace);
  if (command === null) {
    const { verb, text } = actionText(action);
    return (
      <p className="text-dim">
        <b className="font-medium text-text">What it does:</b> {verb} <code className="mono">{text}</code>
      </p>
    );
  }
  if (error !== null) return <p className="text-faint">No explanation: {error.message}</p>;
  if (data === undefined) return <p className="motion-breathe text-faint">Looking up what it does…</p>;
  const { summary, commands } = data.explanation;
  return (
    <div className="max-h-72 overflow-auto">
      <h3 className="font-medium">What it does</h3>
      {commands.length === 0 ? <p className="text-dim">{summary}</p> : null}
      <ul className="grid gap-2">
        {commands.map((each, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: commands never move
          <li key={at}>
            <p className="text-dim">
              {capital(joints[each.joined])}
              <code className="mono text-text">{each.name}</code>{' '}
              {each.known ? each.does : 'is not a command that is known here'}
            </p>
            <dl className="mt-0.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pl-3">
              {[...each.words.filter(({ known }) => known), ...each.redirections].map(({ text, means }) => (
                <div key={text + means} className="contents">
                  <dt className="mono max-w-36 truncate" title={text}>
                    {text}
                  </dt>
                  <dd className="text-dim">{means}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </div>
  );
}
