import type { CallState, ChatState, LeanCall } from '@contract';
import { approvalOf } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { visible, visibleLines } from '@told';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { callAbout, callDiffs, callResult, callRisk, callStatus } from '../../model/call-view.ts';
import { cx } from '../../ui/cx.ts';
import { Risk } from '../../ui/risk.tsx';
import { CallApproval } from './call-approval.tsx';
import { Diffs } from './diffs.tsx';
import { QuestionCard } from './question-card.tsx';

const tones = {
  done: 'text-dim',
  fail: 'text-fail',
  wait: 'text-wait',
  going: 'text-text',
  quiet: 'text-faint',
} as const;
const shapes = { done: '●', fail: '✕', wait: '◆', going: '◉', quiet: '○' } as const;

interface CallCardProps {
  chat: string;
  state: ChatState;
  turn: number;
  call: CallState;
  /** The person typed it as a command, and wants to see what it says. */
  isOwn: boolean;
  /** Its turn has ended. */
  isOver: boolean;
}

/** One call of a tool: what it does, its risk, how far it has come, and what came of it. */
export function CallCard({ chat, state, turn, call, isOwn, isOver }: CallCardProps) {
  const approval = isOver ? undefined : approvalOf(state, call.id);
  const isAsked = approval?.status === 'needed' || approval?.status === 'granted';
  const { word, tone } = callStatus(call, state, isOver);
  const [open, setOpen] = useState(isOwn);
  const risk = callRisk(call);
  const diffs = callDiffs(call);
  const isDecided = isAsked && call.status === 'judged';
  const question = state.question?.callId === call.id && !isOver ? state.question : null;
  // The signal stands with the corrections, in its own words.
  const said = call.result?.selfCorrect?.originalError ?? call.result?.message;
  const why = call.result?.why === undefined ? null : said;
  return (
    <section
      aria-label={`${call.tool} ${callAbout(call)}`.trim()}
      data-testid="call"
      className={cx(
        'min-w-0 rounded-md border bg-surface',
        (isDecided || question !== null) && 'border-wait',
      )}
    >
      <h3 className="min-w-0">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-8 w-full min-w-0 items-center gap-x-2 px-2.5 py-1 text-left hover:bg-hover max-md:min-h-9 max-md:flex-wrap"
        >
          <ChevronRight size={13} className={cx('shrink-0 text-faint', open && 'rotate-90')} />
          <span
            aria-hidden="true"
            className={cx(
              'w-3 shrink-0 text-center text-[11px]',
              tones[tone],
              tone === 'going' && 'motion-breathe',
            )}
          >
            {shapes[tone]}
          </span>
          <span className="mono shrink-0 text-dim max-md:mr-auto">{visible(call.tool)}</span>
          <span className="mono min-w-0 flex-1 truncate max-md:order-last max-md:basis-full max-md:pl-7.5">
            {visible(callAbout(call))}
          </span>
          {call.written == null ? null : <span className="shrink-0 text-faint">edited</span>}
          {risk === null ? null : <Risk level={risk} word />}
          <span className={cx('shrink-0 max-w-44 truncate', tones[tone])}>{word}</span>
        </button>
      </h3>
      {why == null || open ? null : (
        <p className="border-t px-2.5 py-1 text-fail [overflow-wrap:anywhere]">{visible(firstLine(why))}</p>
      )}
      {isDecided ? (
        <CallApproval key={approval.id} chat={chat} state={state} call={call} approval={approval} />
      ) : null}
      {question === null ? null : <QuestionCard chat={chat} callId={call.id} question={question.text} />}
      {diffs.length > 0 && !isDecided && (open || call.status !== 'done' || why === null) ? (
        <Diffs diffs={diffs} few={!open} />
      ) : null}
      {open ? (
        <Detail
          chat={chat}
          turn={turn}
          call={call}
          workspace={state.workspace}
          isShown={isOwn || diffs.length > 0}
        />
      ) : null}
    </section>
  );
}

const firstLine = (text: string): string => text.split('\n')[0]!;

interface DetailProps {
  chat: string;
  turn: number;
  call: LeanCall;
  workspace: string;
  /** What was asked for stands above already. */
  isShown: boolean;
}

/** What was asked for and what came of it, whole: where it was cut, the rest is fetched. */
function Detail({ chat, turn, call, workspace, isShown }: DetailProps) {
  const { data } = useQuery({
    queryKey: ['call', chat, call.id],
    queryFn: async () => {
      const { turns } = await client.listTurns(chat, { from: turn, limit: 1, whole: 'true' });
      return turns[0]?.rounds.flatMap(({ calls }) => calls).find(({ id }) => id === call.id) ?? null;
    },
    enabled: call.shortened === true,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = callResult(data ?? call, workspace);
  const args = JSON.stringify(call.args, null, 2);
  return (
    <div className="grid gap-2 border-t px-2.5 py-2 empty:hidden">
      {isShown || args === '{}' ? null : <Block label="Asked for" text={args} />}
      {text === '' ? null : <Block label="Result" text={text} />}
      {call.shortened === true && data == null ? <p className="text-faint">The rest is being read…</p> : null}
      {call.judged === null || call.judged.verdict.reasons.length === 0 ? null : (
        <ul className="text-dim">
          {[...new Set(call.judged.verdict.reasons.map(({ sentence }) => sentence))].map((sentence) => (
            <li key={sentence}>{visible(sentence)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <div className="min-w-0">
      <p className="text-faint text-small">{label}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="mono max-h-80 overflow-auto whitespace-pre-wrap text-dim [overflow-wrap:anywhere]"
      >
        {visibleLines(text)}
      </pre>
    </div>
  );
}
