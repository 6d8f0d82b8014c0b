import type { Client } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { capital, notFiredWords, scheduleTime, scheduleWords, visible } from '@told';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { askStream } from '../../api/ask-task.ts';
import { client } from '../../api/client.ts';
import { shortPath } from '../../model/paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { Nothing, Part } from './part.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleForm } from './schedule-form.tsx';

type Row = Awaited<ReturnType<Client['listSchedules']>>['schedules'][number];

/** What begins by itself: when, what came of it, and what can be done about it. */
export function Schedules() {
  const [isAdding, setAdding] = useState(false);
  const [looking, setLooking] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['schedules'],
    queryFn: async () => (await client.listSchedules()).schedules,
  });
  return (
    <Part title="Schedules" action={<Button onClick={() => setAdding(true)}>New schedule</Button>}>
      {data === undefined && error === null ? <Skeleton rows={2} /> : null}
      {data === undefined && error !== null ? <Trouble error={error} retry={() => void refetch()} /> : null}
      {data?.length === 0 ? (
        <Nothing>No run begins by itself. A schedule begins one at its times, with nobody there.</Nothing>
      ) : null}
      {data === undefined || data.length === 0 ? null : (
        <ul className="overflow-hidden rounded-md border">
          {data.map((row) => (
            <Schedule key={row.id} row={row} onLook={() => setLooking(row.id)} />
          ))}
        </ul>
      )}
      {isAdding ? (
        <ScheduleForm
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdding(false);
            setLooking(id);
          }}
        />
      ) : null}
      {looking === null ? null : <ScheduleDialog id={looking} onClose={() => setLooking(null)} />}
    </Part>
  );
}

const tones: Record<Row['state'], string> = {
  active: 'text-dim',
  paused: 'text-faint',
  changed: 'text-wait',
  removed: 'text-faint',
};

function Schedule({ row, onLook }: { row: Row; onLook(): void }) {
  const { id, name, cron, tz, file, last, leftOut, state, isPaused } = row;
  const ask = (type: string) => void askStream(id, { type }, ['schedules']);
  return (
    <li className="flex items-start gap-3 border-b px-3 py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <b className="min-w-0 truncate font-medium">{visible(name)}</b>
          <code className="mono text-dim">{cron}</code>
          <span className="text-faint">{tz}</span>
        </p>
        <p className={cx('[overflow-wrap:anywhere]', tones[state])}>{visible(capital(scheduleWords(row)))}</p>
        <p className="text-faint [overflow-wrap:anywhere]">
          <span className="mono">{visible(shortPath(file))}</span>
          {last === null ? null : (
            <>
              {' · last '}
              <Link
                to="/runs/$id"
                params={{ id: last.run }}
                search={{}}
                className="underline decoration-line-strong underline-offset-4"
              >
                {scheduleTime(row, last.due)}
              </Link>
              , {last.state ?? 'not over'}
            </>
          )}
          {leftOut === null ? null : (
            <span className="text-wait">
              {' · '}
              {notFiredWords(leftOut.why as 'missed', leftOut.count)}
            </span>
          )}
        </p>
      </div>
      {state === 'changed' ? (
        <Button look="primary" onClick={onLook}>
          Look and agree
        </Button>
      ) : null}
      <Menu
        trigger={
          <IconButton label={`More about ${name}`}>
            <MoreHorizontal size={15} />
          </IconButton>
        }
        items={[
          { label: 'What it runs, and when', onSelect: onLook },
          { label: 'Run now', onSelect: () => ask('run-requested') },
          isPaused
            ? { label: 'Resume', onSelect: () => ask('resume-requested') }
            : { label: 'Pause', onSelect: () => ask('pause-requested') },
          null,
          { label: 'Remove', danger: true, onSelect: () => ask('remove-requested') },
        ]}
      />
    </li>
  );
}
