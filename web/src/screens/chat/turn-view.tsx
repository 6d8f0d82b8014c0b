import { type ChatState, picturesOf, type Round, type Turn } from '@contract';
import { capital, turnEndWords, visible, visibleLines } from '@told';
import { Undo2 } from 'lucide-react';
import { Fragment, memo, useState } from 'react';
import { askChat } from '../../api/ask-chat.ts';
import { pictureUrl } from '../../api/chosen-pictures.ts';
import { useCallText } from '../../api/use-call-text.ts';
import { openCall, openPlans } from '../../model/chat-view.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { CallCard } from './call-card.tsx';
import { Corrections } from './corrections.tsx';
import { PlanCard, PlanResults } from './plan-card.tsx';

interface TurnViewProps {
  chat: string;
  state: ChatState;
  turn: Turn;
}

/** One message of the person and everything that came of it. */
export const TurnView = memo(
  function TurnView({ chat, state, turn }: TurnViewProps) {
    const isOver = turn.outcome !== null;
    // After the last call that said that there is another way: what came of it follows.
    const corrected = turn.rounds.findLast(({ calls }) =>
      calls.some(({ result }) => result?.selfCorrect !== undefined),
    );
    return (
      <article
        aria-label={`Message ${turn.n}`}
        data-turn={turn.n}
        className="@container mx-auto grid max-w-200 grid-cols-[minmax(0,1fr)] gap-3 px-4 py-3 max-md:px-3"
      >
        <Message chat={chat} state={state} turn={turn} />
        {turn.considered?.plan === true && !isOver && turn.plans.length === 0 ? (
          <p
            className="text-faint text-small"
            title={turn.considered.reasons.map(({ why, points }) => `${points} ${why}`).join('\n')}
          >
            Looks like work of several steps (score {turn.considered.score}).
          </p>
        ) : null}
        {turn.plans.map((plan) => (
          <PlanResults key={plan.run} plan={plan} />
        ))}
        {turn.rounds.map((round) => (
          <Fragment key={round.n}>
            <RoundView chat={chat} state={state} turn={turn} round={round} />
            {round === corrected ? <Corrections turn={turn} /> : null}
          </Fragment>
        ))}
        {isOver ? null : openPlans(state, turn).map((run) => <PlanCard key={run} chat={chat} run={run} />)}
        {isOver ? <End turn={turn} /> : <Live chat={chat} state={state} />}
      </article>
    );
  },
  // A turn that is over changes no more, whatever else happens.
  (before, now) => before.turn === now.turn && (now.turn.outcome !== null || before.state === now.state),
);

function Message({ chat, state, turn }: TurnViewProps) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="group/turn grid gap-1.5">
      <div className="flex items-start justify-end gap-1">
        {turn.outcome === null ? null : (
          <IconButton
            label={`Undo message ${turn.n}`}
            onClick={() => setAsking(true)}
            className="mt-0.5 opacity-0 focus-visible:opacity-100 group-hover/turn:opacity-100 max-md:opacity-100 pointer-coarse:opacity-100"
          >
            <Undo2 size={14} />
          </IconButton>
        )}
        <p className="min-w-0 max-w-[85%] whitespace-pre-wrap rounded-[10px] bg-sel px-3 py-2 text-[14px] leading-[22px] [overflow-wrap:anywhere]">
          {turn.plan === null ? null : (
            <span className="mono text-faint">{turn.plan === 'always' ? '/plan ' : '/noplan '}</span>
          )}
          {visibleLines(turn.text)}
        </p>
      </div>
      <Pictures chat={chat} turn={turn} />
      {asking ? (
        <div
          role="alertdialog"
          aria-label={`Undo message ${turn.n}`}
          className="motion-rise rounded-md border border-wait bg-wait-bg px-3 py-2.5"
        >
          <p>
            Takes back this message and all after it: files that its calls and plans changed are put back,
            unless somebody has changed them since, and the model is no longer told of it.
            {turn.plans.length === 0
              ? null
              : ' What a plan did beyond them is taken back on the page of its run.'}
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button
              look="danger"
              disabled={state.turn !== null}
              onClick={() => {
                setAsking(false);
                void askChat(chat, { type: 'undo-requested', turn: turn.n });
              }}
            >
              Undo it
            </Button>
            <Button look="ghost" onClick={() => setAsking(false)}>
              Leave it
            </Button>
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** What was shown to the model with the message. */
function Pictures({ chat, turn }: { chat: string; turn: Turn }) {
  const pictures = new Map(picturesOf(turn).map((picture) => [picture.hash, picture]));
  if (pictures.size === 0) return null;
  return (
    <ul aria-label="Pictures" className="flex flex-wrap justify-end gap-2">
      {[...pictures.values()].map(({ hash, name }) => (
        <li key={hash}>
          <a href={pictureUrl(chat, { hash })} target="_blank" rel="noreferrer">
            <img
              src={pictureUrl(chat, { hash })}
              alt={visible(name)}
              loading="lazy"
              className="max-h-40 max-w-60 rounded-md border object-contain"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

function RoundView({ chat, state, turn, round }: TurnViewProps & { round: Round }) {
  const isOver = turn.outcome !== null;
  const { text, calls, failure } = round;
  if (text === '' && calls.length === 0 && failure === null) return null;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      {text === '' ? null : <RichText text={text} />}
      {calls.map((call) => (
        <CallCard
          key={call.id}
          chat={chat}
          state={state}
          turn={turn.n}
          call={call}
          isOwn={turn.isCommand}
          isOver={isOver}
        />
      ))}
      {failure === null || failure.why === 'no-model' ? null : (
        <p className="text-fail [overflow-wrap:anywhere]">{capital(failure.message)}</p>
      )}
    </div>
  );
}

/** What is being said at this moment. */
function Live({ chat, state }: { chat: string; state: ChatState }) {
  const call = openCall(state);
  const text = useCallText(chat, call, 200_000);
  if (state.thinking === null) return null;
  return text === '' ? (
    <p role="status" className="text-faint">
      <span aria-hidden="true" className="motion-breathe mr-2">
        ◉
      </span>
      Thinking
    </p>
  ) : (
    <div data-testid="live" aria-busy="true" className="min-w-0">
      <RichText text={text} />
    </div>
  );
}

function End({ turn: { outcome, message, rounds } }: { turn: Turn }) {
  const words = outcome === null ? null : turnEndWords[outcome];
  const failed = rounds.at(-1)?.failure?.message;
  if (words === null) return null;
  return (
    <p role="status" className={outcome === 'stopped' ? 'text-faint' : 'font-medium text-fail'}>
      {message === null || message === failed ? words : `${words}: ${message}`}
    </p>
  );
}
