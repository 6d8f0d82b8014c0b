import { MAX_TITLE } from '@contract';
import { useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { askChat } from '../../api/ask-chat.ts';
import { client, queries } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';

/** Calls a conversation something else, where its title stands. */
export function Rename({ chat, title, onDone }: { chat: string; title: string; onDone(): void }) {
  const [text, setText] = useState(title);
  const save = async () => {
    const name = text.trim();
    if (name === '' || name === title) return onDone();
    if (await askChat(chat, { type: 'rename-requested', title: name })) onDone();
  };
  return (
    <form
      aria-label="Rename"
      className="flex min-w-0 flex-1 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the person asked to rename it
        autoFocus
        aria-label="Name of the conversation"
        maxLength={MAX_TITLE}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onDone()}
        className="h-7 min-w-0 flex-1 rounded-md border border-line-strong bg-transparent px-2 font-semibold max-md:h-9"
      />
      <Button type="submit">Rename</Button>
    </form>
  );
}

interface DeleteChatProps {
  chat: string;
  onKeep(): void;
  onDeleted(): void;
}

/** Asks once, and removes it for good. */
export function DeleteChat({ chat, onKeep, onDeleted }: DeleteChatProps) {
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const removed = await attempt(() => client.removeChat(chat));
    setBusy(false);
    if (removed === null) return;
    void queries.invalidateQueries({ queryKey: ['chats'] });
    onDeleted();
  };
  return (
    <div
      role="alertdialog"
      aria-label="Delete the conversation"
      className="motion-rise mt-2 rounded-md border border-wait bg-wait-bg px-3 py-2.5"
    >
      <p>
        What was said, its pictures and the way back from what it changed are removed for good; what it is at
        is stopped. Its plans are runs and stay.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button look="danger" disabled={busy} onClick={() => void remove()}>
          Delete it
        </Button>
        <Button look="ghost" disabled={busy} onClick={onKeep}>
          Keep it
        </Button>
      </div>
    </div>
  );
}
