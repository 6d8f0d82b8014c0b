import { actionText, type ChatRow, type RunState } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { capital, count, rowSentence, stepName, visible } from '@told';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { ask, attempt, goOn } from '../api/ask.ts';
import { client } from '../api/client.ts';
import { askAbout, setLook, useLook } from '../api/look.ts';
import { peekRun } from '../api/use-run.ts';
import { matches } from '../model/match.ts';
import { controlsOf, modeChoices, resumeWords } from '../model/modes.ts';
import { cx } from '../ui/cx.ts';

interface Entry {
  id: string;
  group: string;
  title: string;
  detail?: string;
  act(): void;
}

export function Palette() {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { id } = useParams({ strict: false });
  const commands = [...useCommands(), ...useRunCommands(id ?? null)];
  const runs = useFoundRuns(text);
  const steps = useSteps(id ?? null, text);
  const chats = useFoundChats(text);
  const tasks = useFoundTasks(text);
  const found = [...steps, ...runs, ...chats, ...tasks];
  const entries = [...commands.filter(({ title }) => matches(title, text)), ...found];
  const chosen = Math.min(at, entries.length - 1);
  const close = () => setLook({ open: null });
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    entry.act();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((chosen + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(entries[chosen]);
    }
  };
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="motion-fade fixed inset-0 z-40 bg-shade" />
        <Dialog.Content
          aria-describedby={undefined}
          className="motion-rise fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[calc(100vw-24px)] max-w-[620px] -translate-x-1/2 flex-col overflow-hidden rounded-[8px] bg-raised shadow-overlay max-md:top-3"
        >
          <Dialog.Title className="sr-only">Go to</Dialog.Title>
          <input
            // biome-ignore lint/a11y/noAutofocus: a palette is opened to type into it
            autoFocus
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={entries[chosen] === undefined ? undefined : `palette-${chosen}`}
            aria-label="Go to run, step, command"
            placeholder="Go to run, step, command…"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKey}
            className="h-12 shrink-0 border-b bg-transparent px-4 text-[15px] outline-none placeholder:text-faint"
          />
          <div id="palette-list" role="listbox" aria-label="Results" className="overflow-auto p-1">
            {entries.map((entry, index) => (
              <PaletteRow
                key={entry.id}
                entry={entry}
                index={index}
                first={entries[index - 1]?.group !== entry.group}
                chosen={index === chosen}
                onHover={() => setAt(index)}
                onChoose={() => choose(entry)}
              />
            ))}
            {entries.length === 0 ? (
              <p className="p-6 text-center text-dim">Nothing is called that.</p>
            ) : null}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PaletteRowProps {
  entry: Entry;
  index: number;
  first: boolean;
  chosen: boolean;
  onHover(): void;
  onChoose(): void;
}

function PaletteRow({ entry, index, first, chosen, onHover, onChoose }: PaletteRowProps) {
  return (
    <>
      {first ? (
        <div role="presentation" className="px-3 pt-2 pb-1 text-small text-faint">
          {entry.group}
        </div>
      ) : null}
      <div
        id={`palette-${index}`}
        role="option"
        aria-selected={chosen}
        tabIndex={-1}
        ref={(element) => {
          if (chosen) element?.scrollIntoView({ block: 'nearest' });
        }}
        onPointerMove={onHover}
        onClick={onChoose}
        onKeyDown={() => {}}
        className={cx('flex h-8 items-center justify-between gap-4 rounded-sm px-3', chosen && 'bg-sel')}
      >
        <span className="truncate">{entry.title}</span>
        {entry.detail === undefined ? null : (
          <span className="mono min-w-0 max-w-[50%] shrink-0 truncate text-faint">{entry.detail}</span>
        )}
      </div>
    </>
  );
}

function useCommands(): Entry[] {
  const navigate = useNavigate();
  const theme = useLook((look) => look.theme);
  return useMemo(() => {
    const entry = (title: string, act: () => void): Entry => ({ id: title, group: 'Commands', title, act });
    const other = theme === 'light' ? 'dark' : 'light';
    return [
      entry('New run', () => void navigate({ to: '/new' })),
      entry('All runs', () => void navigate({ to: '/' })),
      entry('What waits for me', () => void navigate({ to: '/', search: { show: 'waiting' } })),
      entry('Conversations', () => void navigate({ to: '/chats' })),
      entry('Guard', () => void navigate({ to: '/guard' })),
      entry('New conversation', () => void navigate({ to: '/chats' })),
      entry('Tasks', () => void navigate({ to: '/tasks' })),
      entry('Fleet and schedules', () => void navigate({ to: '/fleet' })),
      entry('New task', () => void navigate({ to: '/tasks', search: { new: 'task' } })),
      entry('New project', () => void navigate({ to: '/tasks', search: { new: 'project' } })),
      entry('Services', () => setLook({ open: 'services' })),
      entry('Settings', () => setLook({ open: 'settings' })),
      entry(`Use the ${other} theme`, () => setLook({ theme: other })),
      entry('Use the theme of the system', () => setLook({ theme: 'system' })),
      entry('Keys', () => setLook({ open: 'help' })),
    ];
  }, [navigate, theme]);
}

/** What the run in view can be asked now. */
function useRunCommands(run: string | null): Entry[] {
  const navigate = useNavigate();
  const state = run === null ? null : peekRun(run);
  if (run === null || state === null) return [];
  const entry = (title: string, act: () => void): Entry => ({ id: title, group: 'This run', title, act });
  const may = controlsOf(state);
  const open = (made: { id: string } | null) => {
    if (made !== null) void navigate({ to: '/runs/$id', params: { id: made.id }, search: {} });
  };
  return [
    entry(
      'Ask about this run',
      () =>
        void navigate({
          from: '/runs/$id',
          to: '/runs/$id',
          params: { id: run },
          search: (before) => ({ ...before, ask: true }),
        }),
    ),
    ...(may.pause ? [entry('Pause', () => void ask(run, { type: 'pause-requested' }))] : []),
    ...(may.resume ? [entry(resumeWords(state), () => void goOn(run))] : []),
    ...(may.undo ? [entry('Undo…', () => askAbout(run, 'undo'))] : []),
    ...(state.plan === null
      ? []
      : [entry('Run again', () => void attempt(() => client.repeatRun(run)).then(open))]),
    ...(may.cancel ? [entry('Cancel the run…', () => askAbout(run, 'cancel'))] : []),
    ...modesOf(run, state),
  ];
}

function modesOf(run: string, state: RunState): Entry[] {
  return modeChoices(state)
    .filter(({ chosen }) => !chosen)
    .map(({ mode, label, meaning }) => ({
      id: label,
      group: 'This run',
      title: label,
      detail: meaning,
      act: () => void ask(run, { type: 'mode-requested', mode }),
    }));
}

function useFoundRuns(text: string): Entry[] {
  const navigate = useNavigate();
  const q = text.trim();
  const found = useQuery({
    queryKey: ['palette', q],
    queryFn: async () =>
      q === ''
        ? (await client.listRuns({ limit: 8 })).runs.map((row) => ({ row, found: row.goal }))
        : (await client.search({ q, limit: 12 })).hits,
    placeholderData: (before) => before,
  });
  return (found.data ?? []).map(({ row, found: part }) => ({
    id: row.id,
    group: 'Runs',
    title: visible(row.goal),
    detail: visible(part === row.goal ? rowSentence(row, Date.now()).text : part),
    act: () => void navigate({ to: '/runs/$id', params: { id: row.id } }),
  }));
}

/** Conversations in which it was said. */
function useFoundChats(text: string): Entry[] {
  const navigate = useNavigate();
  const q = text.trim();
  const found = useQuery({
    queryKey: ['palette-chats', q],
    queryFn: async () => {
      const page = await client.listStreams({ kind: 'chat', limit: 6, ...(q === '' ? {} : { text: q }) });
      return page.streams as unknown as ChatRow[];
    },
    placeholderData: (before) => before,
  });
  return (found.data ?? [])
    .filter(({ turns }) => turns > 0)
    .map((row) => ({
      id: `chat-${row.id}`,
      group: 'Conversations',
      title: visible(row.title),
      detail: count(row.turns, 'message'),
      act: () => void navigate({ to: '/chats/$chat', params: { chat: row.id } }),
    }));
}

function useFoundTasks(text: string): Entry[] {
  const navigate = useNavigate();
  const q = text.trim();
  const found = useQuery({
    queryKey: ['palette-tasks', q],
    queryFn: async () => (await client.listTasks({ limit: 6, ...(q === '' ? {} : { text: q }) })).tasks,
    placeholderData: (before) => before,
  });
  return (found.data ?? []).map((row) => ({
    id: `task-${row.id}`,
    group: 'Tasks',
    title: visible(row.title),
    detail: visible(row.statusTitle),
    act: () => void navigate({ to: '/tasks/$task', params: { task: row.id } }),
  }));
}

function useSteps(run: string | null, text: string): Entry[] {
  const navigate = useNavigate();
  const plan = run === null ? null : (peekRun(run)?.plan ?? null);
  if (run === null || plan === null || text.trim() === '') return [];
  const found: Entry[] = [];
  for (const step of plan.steps) {
    const { text: command } = actionText(step.action);
    if (!matches(`${step.title} ${command}`, text)) continue;
    found.push({
      id: `step-${step.id}`,
      group: 'Steps of this run',
      title: `${capital(stepName(plan, step.id))}: ${step.title}`,
      detail: command.split('\n')[0] ?? '',
      act: () => void navigate({ to: '/runs/$id', params: { id: run }, search: { step: step.id } }),
    });
    if (found.length === 12) break;
  }
  return found;
}
