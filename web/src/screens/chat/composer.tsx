import { useQuery } from '@tanstack/react-query';
import { slashLike, visible } from '@told';
import { ArrowUp, Square } from 'lucide-react';
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { atMostPictures, type ChosenPicture, readPictures } from '../../api/chosen-pictures.ts';
import { client } from '../../api/client.ts';
import { completed, completing } from '../../model/complete.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { PictureButton, PictureTray } from './picture-tray.tsx';

export interface ComposerHandle {
  focus(): void;
  put(text: string): void;
}

interface ComposerProps {
  ref?: Ref<ComposerHandle>;
  /** Where files are completed from; null: nowhere yet. */
  workspace: string | null;
  placeholder: string;
  /** Whether it takes `/commands`. */
  commands: boolean;
  /** A message is open: it can be stopped. */
  onStop?: (() => void) | undefined;
  disabled?: boolean;
  /** Whoever comes here is typing already. */
  autoFocus?: boolean;
  /** Keeps what was typed where it answers false. */
  onSend(text: string, pictures: readonly ChosenPicture[]): Promise<boolean>;
}

interface Offer {
  value: string;
  about: string;
}

/** Where a message is written. Enter sends, Shift Enter begins a line; commands and files are completed. */
export function Composer({
  ref,
  workspace,
  placeholder,
  commands,
  onStop,
  disabled = false,
  autoFocus = false,
  onSend,
}: ComposerProps) {
  const [text, setText] = useState('');
  const [caret, setCaret] = useState(0);
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState(false);
  const [sending, setSending] = useState(false);
  const [pictures, setPictures] = useState<readonly ChosenPicture[]>([]);
  // Files are read at their own pace: what was chosen meanwhile is here, and not in the last drawing.
  const latest = useRef(pictures);
  const keep = (next: readonly ChosenPicture[]) => {
    latest.current = next;
    setPictures(next);
  };
  const addPictures = async (files: readonly File[]) => {
    const read = await readPictures(files);
    keep(atMostPictures([...latest.current, ...read]));
  };
  const field = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const open = completing(text, caret);
  const offers = useOffers(closed ? null : open, commands, workspace);
  const chosen = Math.min(at, offers.length - 1);
  const moved = useRef<number | null>(null);
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    put(words) {
      setText(words);
      field.current?.focus();
    },
  }));
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    if (moved.current !== null) element.setSelectionRange(moved.current, moved.current);
    moved.current = null;
    // As high as what is in it, to a limit.
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, 240)}px`;
  });
  const take = (offer: Offer | undefined) => {
    if (offer === undefined || open === null) return;
    const next = completed(text, caret, open.from, offer.value);
    setText(next.text);
    setCaret(next.caret);
    setAt(0);
    moved.current = next.caret;
  };
  const send = async () => {
    const words = text.trim();
    if (words === '' || sending || disabled) return;
    setSending(true);
    const isSent = await onSend(words, pictures);
    setSending(false);
    // What was typed or added meanwhile stays.
    if (isSent) keep(latest.current.filter((one) => !pictures.includes(one)));
    if (isSent) setText((now) => (now.trim() === words ? '' : now));
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (offers.length > 0 && step !== 0) {
      event.preventDefault();
      setAt((chosen + step + offers.length) % offers.length);
      return;
    }
    const isWhole = offers[chosen]?.value === text.trim();
    if (
      offers.length > 0 &&
      (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey && !isWhole))
    ) {
      event.preventDefault();
      take(offers[chosen]);
    } else if (event.key === 'Escape' && offers.length > 0) {
      event.preventDefault();
      setClosed(true);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <div className="relative">
      {offers.length === 0 ? null : (
        <div
          id={list}
          role="listbox"
          aria-label="Completions"
          className="absolute right-0 bottom-full left-0 z-20 mb-1 max-h-64 overflow-auto rounded-md bg-raised p-1 shadow-overlay"
        >
          {offers.map(({ value, about }, index) => (
            <div
              key={value}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === chosen}
              tabIndex={-1}
              ref={(element) => {
                if (index === chosen) element?.scrollIntoView({ block: 'nearest' });
              }}
              onPointerDown={(event) => {
                event.preventDefault();
                take({ value, about });
              }}
              className={cx('flex min-h-7 items-center gap-3 rounded-sm px-2', index === chosen && 'bg-sel')}
            >
              <span className="mono shrink-0">{visible(value)}</span>
              <span className="min-w-0 truncate text-dim">{about}</span>
            </div>
          ))}
        </div>
      )}
      <section
        aria-label="Write a message"
        className="rounded-[10px] border border-line-strong bg-surface p-1.5 focus-within:border-text"
        onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void addPictures([...event.dataTransfer.files]);
        }}
      >
        <PictureTray
          chosen={pictures}
          onRemove={(removed) => keep(latest.current.filter((one) => one !== removed))}
        />
        <div className="flex items-end gap-2">
          <PictureButton onChoose={(files) => void addPictures(files)} />
          <textarea
            ref={field}
            aria-label="Message"
            aria-autocomplete="list"
            aria-controls={offers.length === 0 ? undefined : list}
            aria-activedescendant={offers.length === 0 ? undefined : `${list}-${chosen}`}
            rows={1}
            // biome-ignore lint/a11y/noAutofocus: asked for where the screen is there to type into it
            autoFocus={autoFocus}
            value={text}
            placeholder={placeholder}
            onChange={({ target }) => {
              setText(target.value);
              setCaret(target.selectionStart);
              setClosed(false);
              setAt(0);
            }}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
            onKeyDown={onKey}
            onPaste={(event) => {
              const files = [...event.clipboardData.files];
              if (files.length === 0) return;
              event.preventDefault();
              void addPictures(files);
            }}
            className="max-h-60 min-h-8 min-w-0 flex-1 resize-none bg-transparent px-2 py-1.5 text-[14px] leading-5 outline-none placeholder:truncate placeholder:text-faint"
          />
          {onStop === undefined ? null : (
            <Button onClick={onStop} icon={<Square size={11} />} className="h-8">
              Stop
            </Button>
          )}
          <IconButton
            label="Send"
            disabled={text.trim() === '' || sending || disabled}
            onClick={() => void send()}
            className="size-8! border border-text bg-text text-bg! hover:bg-text hover:opacity-90 disabled:border-line-strong disabled:bg-transparent disabled:text-dim!"
          >
            <ArrowUp size={16} />
          </IconButton>
        </div>
      </section>
    </div>
  );
}

/** What could be meant, for what is being typed. */
function useOffers(
  open: ReturnType<typeof completing>,
  commands: boolean,
  workspace: string | null,
): readonly Offer[] {
  const typed = open?.kind === 'file' && workspace !== null ? open.typed : null;
  const [wanted, setWanted] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed), 60);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery({
    queryKey: ['files', workspace, wanted],
    queryFn: () => client.filesLike({ workspace: workspace!, path: wanted! }),
    enabled: wanted !== null && workspace !== null,
    staleTime: 5000,
    placeholderData: (before) => before,
  });
  if (open === null) return [];
  if (open.kind === 'slash')
    return commands
      ? slashLike(open.typed).map(({ name, usage, about }) => ({
          value: name,
          about: `${usage.slice(name.length).trim()} ${about}`.trim(),
        }))
      : [];
  return typed === null
    ? []
    : (data?.paths ?? [])
        .filter((path) => path.startsWith(typed) && path !== typed)
        .map((path) => ({ value: path, about: path.endsWith('/') ? 'folder' : '' }));
}
