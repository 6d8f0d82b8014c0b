import type { GuardedCall } from '@guard';
import { pathLists, visible } from '@told';
import { useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { answers, callText } from '../../model/guard-view.ts';
import { clockTime } from '../../model/time.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { PathList } from '../../ui/path-list.tsx';
import { Risk } from '../../ui/risk.tsx';

interface CallLineProps {
  call: GuardedCall;
  session: string;
  workspace: string;
}

/** A call in one line; opened, why it was objected to, what it would touch, and the way to allow exactly it. */
export function CallLine({ call, session, workspace }: CallLineProps) {
  const [open, setOpen] = useState(false);
  const { word, shape, look } = answers[call.answer];
  return (
    <li className="border-b">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="grid w-full grid-cols-[64px_76px_92px_minmax(0,1fr)] items-baseline gap-x-3 px-4 py-1.5 text-left hover:bg-hover max-md:grid-cols-[auto_auto_minmax(0,1fr)] max-md:px-3 max-md:py-2"
      >
        <time className="num text-faint" dateTime={new Date(call.at).toISOString()}>
          {clockTime(call.at)}
        </time>
        <span className={look}>
          <span aria-hidden="true">{shape}</span> {word}
        </span>
        <span className="text-dim max-md:text-right">
          {call.level === null ? '' : <Risk level={call.level} word />}
        </span>
        <code className={cx('mono max-md:col-span-3', open ? '[overflow-wrap:anywhere]' : 'truncate')}>
          {visible(callText(call))}
        </code>
      </button>
      {call.unkept === undefined ? null : (
        <p className="px-4 pb-1.5 text-wait max-md:px-3">No checkpoint: {visible(call.unkept)}</p>
      )}
      {open ? <Opened call={call} session={session} workspace={workspace} /> : null}
    </li>
  );
}

function Opened({ call, session, workspace }: CallLineProps) {
  const reasons = call.judged?.verdict.reasons ?? [];
  const paths = call.judged?.verdict.paths ?? [];
  return (
    <div className="grid gap-2 px-4 pb-3 max-md:px-3">
      <p className="text-dim">
        {call.tool === '' ? 'No tool that could be read' : visible(call.tool)} in{' '}
        <span className="mono [overflow-wrap:anywhere]">{visible(call.cwd)}</span>
        {call.checkpoint === undefined ? '' : ' · the folder was kept before it'}
      </p>
      {reasons.length > 0 ? (
        <ul className="grid gap-1">
          {reasons.map(({ rule, level, sentence }) => (
            <li key={rule + sentence} className="flex gap-2">
              <Risk level={level} />
              <span className="min-w-0 [overflow-wrap:anywhere]">{visible(sentence)}</span>
            </li>
          ))}
        </ul>
      ) : call.reason === '' ? null : (
        <p className="[overflow-wrap:anywhere]">{visible(call.reason)}</p>
      )}
      {paths.length === 0 ? null : <PathList lists={pathLists(workspace, paths)} all={paths} />}
      {call.judged === undefined || call.level === 'blocked' ? null : (
        <Allow session={session} verdict={call.id} />
      )}
    </div>
  );
}

/** The narrowest rule for exactly this, as `planwright guard allow` makes it. */
function Allow({ session, verdict }: { session: string; verdict: string }) {
  const [busy, setBusy] = useState(false);
  const allow = async () => {
    setBusy(true);
    const done = await attempt(() => client.allowGuarded(session, { verdict }));
    setBusy(false);
    if (done !== null) say(done.message);
  };
  return (
    <div>
      <Button disabled={busy} onClick={() => void allow()}>
        Always allow exactly this here
      </Button>
    </div>
  );
}
