import { type ChatState, type Mode, type ModelName, parseModelName, printModelName } from '@contract';
import { meterWords, visible } from '@told';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { askChat } from '../../api/ask-chat.ts';
import { useModels } from '../../api/queries.ts';
import { chatBudgets, chatDoing, chatModeMeaning } from '../../model/chat-view.ts';
import { shortPath } from '../../model/paths.ts';
import { modeName, modes } from '../../model/words.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { DeleteChat, Rename } from './chat-keeping.tsx';

export const chatModes = modes.map((value) => ({
  value,
  label: modeName[value],
  title: chatModeMeaning[value],
  machine: value === 'agentic',
}));

interface ChatHeaderProps {
  chat: string;
  state: ChatState;
  title: string;
  /** It stands beside something else, with little room. */
  narrow?: boolean;
  /** What stands before the title: a way back. */
  before?: ReactNode;
  after?: ReactNode;
  onCorrections(): void;
  /** It is gone. */
  onDeleted(): void;
}

export function ChatHeader({
  chat,
  state,
  title,
  narrow = false,
  before,
  after,
  onCorrections,
  onDeleted,
}: ChatHeaderProps) {
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const doing = chatDoing(state);
  const mode = state.options?.mode ?? 'planner';
  return (
    <header className="border-b px-4 py-2 max-md:px-3">
      <div className="flex min-w-0 items-center gap-2">
        {before}
        {renaming ? (
          <Rename chat={chat} title={title} onDone={() => setRenaming(false)} />
        ) : (
          <h1
            className="min-w-0 flex-1 truncate font-semibold text-title tracking-[-0.01em]"
            title={visible(title)}
          >
            {visible(title)}
          </h1>
        )}
        <Menu
          trigger={
            <IconButton label="More about this conversation">
              <Ellipsis size={16} />
            </IconButton>
          }
          items={[
            {
              label: 'Undo the last message',
              disabled: state.turn !== null || state.past.length === 0,
              onSelect: () => void askChat(chat, { type: 'undo-requested' }),
            },
            { label: 'What was corrected', onSelect: onCorrections },
            {
              label: 'Keep it in short',
              disabled: state.turn !== null,
              onSelect: () => void askChat(chat, { type: 'compact-requested' }),
            },
            {
              label: 'Begin anew here',
              disabled: state.turn !== null,
              onSelect: () => void askChat(chat, { type: 'clear-requested' }),
            },
            {
              label: 'Rename…',
              disabled: state.closed,
              onSelect: () => setRenaming(true),
            },
            null,
            {
              label: 'Close the conversation',
              disabled: state.closed,
              onSelect: () => void askChat(chat, { type: 'close-requested' }),
            },
            { label: 'Delete…', danger: true, onSelect: () => setDeleting(true) },
          ]}
        />
        {after}
      </div>
      {deleting ? <DeleteChat chat={chat} onKeep={() => setDeleting(false)} onDeleted={onDeleted} /> : null}
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <Segmented<Mode>
          label="Mode"
          value={mode}
          choices={chatModes}
          locked={state.closed ? 'The conversation is closed' : null}
          onChange={(next) => void askChat(chat, { type: 'options-requested', mode: next })}
        />
        <ModelChoice
          value={state.options?.model ?? null}
          onChange={(model) => void askChat(chat, { type: 'options-requested', model })}
        />
        <span
          role="status"
          className={cx(
            'min-w-0 truncate',
            doing?.tone === 'wait' ? 'text-wait' : 'text-dim',
            doing === null && 'sr-only',
          )}
        >
          {doing === null ? (state.closed ? 'Closed' : 'Ready for a message') : doing.text}
        </span>
        <span
          className={cx('mono min-w-0 truncate text-faint', narrow ? 'hidden' : 'max-lg:hidden')}
          title={state.workspace}
        >
          {visible(shortPath(state.workspace))}
        </span>
        <div
          className={cx(
            'ml-auto flex gap-4',
            narrow && 'w-full ml-0 [&>*]:flex-1',
            'max-md:ml-0 max-md:w-full',
          )}
          title={meterWords(state)}
        >
          {chatBudgets(state).map((meter) => (
            <Meter key={meter.name} meter={meter} />
          ))}
        </div>
      </div>
    </header>
  );
}

interface ModelChoiceProps {
  value: ModelName | null;
  onChange(model: ModelName | null): void;
}

/** Whom to talk to: whoever is set, or one of them alone. */
export function ModelChoice({ value, onChange }: ModelChoiceProps) {
  const chain = useModels().data?.roles.find(({ role }) => role === 'chat')?.chain ?? [];
  const own = value === null ? [] : [printModelName(value)];
  const names = [...new Set([...own, ...chain.map(printModelName)])];
  const first = chain.find(({ available }) => available);
  return (
    <select
      aria-label="Model"
      value={value === null ? '' : printModelName(value)}
      onChange={({ target }) => onChange(parseModelName(target.value))}
      className="h-6.5 min-w-0 max-w-52 rounded-md border border-line-strong bg-bg px-1.5 text-dim hover:text-text max-md:h-9 max-md:max-w-36"
    >
      <option value="">{first === undefined ? 'No model' : `Auto: ${first.model}`}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
