import { ApiError, turnsOf } from '@contract';
import { useRouterState } from '@tanstack/react-router';
import { readLine, visible } from '@told';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { say } from '../../api/ask.ts';
import { askChat } from '../../api/ask-chat.ts';
import { type ChosenPicture, keepPictures } from '../../api/chosen-pictures.ts';
import { restartChat, useChat, useChatFeed } from '../../api/use-chat.ts';
import { useKeys } from '../../shell/keys.ts';
import { Needs } from '../../shell/needs.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { ChatHeader } from './chat-header.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
import { Transcript } from './transcript.tsx';

interface ChatViewProps {
  chat: string;
  narrow?: boolean;
  before?: ReactNode;
  after?: ReactNode;
  /** What it is called before anything was said. */
  named?: string;
  /** Messages that are offered before the first was sent. */
  offered?: readonly string[];
  /** Somebody typed that they leave. */
  onLeave(): void;
}

/** One conversation: what was said, what is asked, and where to say more. */
export function ChatView({
  chat,
  narrow = false,
  before,
  after,
  named = 'New conversation',
  offered = [],
  onLeave,
}: ChatViewProps) {
  const feed = useChatFeed(chat);
  const state = useChat(feed, (now) => now.state);
  const title = useChat(feed, (now) => now.title);
  const error = useChat(feed, (now) => now.error);
  const composer = useRef<ComposerHandle>(null);
  const [told, setTold] = useState<readonly string[]>([]);
  const isBegun = useRouterState({ select: ({ location }) => location.state.isBegun === true });
  useKeys({ m: () => composer.current?.focus() });
  if (error instanceof ApiError && error.status === 404)
    return (
      <Notice title="There is no such conversation">
        It may have been removed, or the address is cut off.
      </Notice>
    );
  if (error !== null)
    return (
      <Trouble
        error={error}
        retry={() => {
          restartChat(chat);
          location.reload();
        }}
      />
    );
  if (state === null) return <Skeleton rows={8} />;
  const send = async (text: string, chosen: readonly ChosenPicture[] = []): Promise<boolean> => {
    const typed = readLine(text, state);
    if (typed.kind === 'leave') {
      onLeave();
      return true;
    }
    if (typed.kind === 'tell') {
      setTold(typed.lines);
      return true;
    }
    if (typed.kind === 'run') {
      setTold([
        `A plan file is started from the list of runs, or in a terminal: planwright run ${typed.file}`,
      ]);
      return true;
    }
    if (typed.body.type === 'message-sent' && state.turn !== null) {
      say('It is still at the message before: wait for it, or stop it.', true);
      return false;
    }
    setTold([]);
    if (typed.body.type !== 'message-sent' || chosen.length === 0) return askChat(chat, typed.body);
    const pictures = await keepPictures(chat, chosen);
    return pictures !== null && askChat(chat, { ...typed.body, pictures });
  };
  const isEmpty = state.turns === 0;
  return (
    <section
      aria-label="Conversation"
      className="grid h-full min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]"
    >
      <ChatHeader
        chat={chat}
        state={state}
        title={title === '' ? named : title}
        narrow={narrow}
        before={before}
        after={after}
        onDeleted={onLeave}
        onCorrections={() => {
          const typed = readLine('/corrections', { ...state, past: [turnsOf(state)], turn: null });
          if (typed.kind === 'tell') setTold(typed.lines);
        }}
      />
      <Transcript feed={feed} state={state}>
        {isEmpty && offered.length > 0 ? (
          <div className="mx-auto grid max-w-200 justify-items-start gap-2 px-4 py-3 max-md:px-3">
            {offered.map((text) => (
              <button
                key={text}
                type="button"
                onClick={() => void send(text)}
                className="max-w-full rounded-[10px] border border-line-strong px-3 py-1.5 text-left text-dim hover:bg-hover hover:text-text"
              >
                {visible(text)}
              </button>
            ))}
          </div>
        ) : null}
        {told.length === 0 ? null : (
          <div
            role="status"
            aria-label="About the conversation"
            className="relative mx-auto my-2 w-[calc(100%-32px)] max-w-192 rounded-md border bg-surface py-2 pr-9 pl-3"
          >
            <IconButton
              label="Close"
              onClick={() => setTold([])}
              className="absolute top-1 right-1 size-6.5!"
            >
              <X size={13} />
            </IconButton>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre tabIndex={0} className="mono overflow-x-auto whitespace-pre-wrap text-dim">
              {told.map(visible).join('\n')}
            </pre>
          </div>
        )}
      </Transcript>
      <Needs scope="decide">
        <footer className="border-t px-4 py-2.5 max-md:px-3">
          <div className="mx-auto max-w-200">
            <Composer
              ref={composer}
              autoFocus={isBegun}
              workspace={state.workspace}
              commands
              disabled={state.closed}
              placeholder={
                state.closed
                  ? 'The conversation is closed: begin another'
                  : narrow
                    ? 'Ask about it'
                    : 'Ask, or say what to do. / for commands, @ for files'
              }
              onStop={
                state.turn === null || state.stoppedBy !== null
                  ? undefined
                  : () => void askChat(chat, { type: 'stop-requested' })
              }
              onSend={send}
            />
          </div>
        </footer>
      </Needs>
    </section>
  );
}
