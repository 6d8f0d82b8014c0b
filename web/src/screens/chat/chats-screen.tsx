import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useChat, useChatFeed } from '../../api/use-chat.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { cx } from '../../ui/cx.ts';
import { ChatList } from './chat-list.tsx';
import { ChatView } from './chat-view.tsx';
import { NewChat } from './new-chat.tsx';

/** Conversations, and one of them or a new one. On a phone the list is its own screen, under what begins a new one. */
export function ChatsScreen() {
  const { chat } = useParams({ strict: false });
  return (
    <div className="grid h-full grid-cols-[280px_minmax(0,1fr)] max-lg:grid-cols-[220px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)] max-md:grid-rows-[auto_minmax(0,1fr)]">
      <div
        className={cx(
          'min-h-0 border-r max-md:row-start-2 max-md:border-t max-md:border-r-0',
          chat !== undefined && 'max-md:hidden',
        )}
      >
        <ChatList current={chat ?? null} />
      </div>
      {chat === undefined ? <Fresh /> : <Open key={chat} chat={chat} />}
    </div>
  );
}

function Fresh() {
  useTitle('Conversations');
  return <NewChat />;
}

function Open({ chat }: { chat: string }) {
  const navigate = useNavigate();
  useTitle(useChat(useChatFeed(chat), ({ title }) => title) || 'Conversation');
  return (
    <div className="min-h-0 min-w-0 max-md:row-span-2">
      <ChatView
        chat={chat}
        onLeave={() => void navigate({ to: '/chats' })}
        before={
          <Link
            to="/chats"
            aria-label="All conversations"
            className="hidden size-9 shrink-0 items-center justify-center rounded-md text-dim max-md:inline-flex"
          >
            <ChevronLeft size={18} />
          </Link>
        }
      />
    </div>
  );
}
