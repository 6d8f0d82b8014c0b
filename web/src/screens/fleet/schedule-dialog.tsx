import { actionText } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { count, scheduleTime, visible, visibleLines } from '@told';
import { useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';

/** What a schedule runs, and when; where its file says something else now, that, for whoever is to agree to it. */
export function ScheduleDialog({ id, onClose }: { id: string; onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['schedule', id],
    queryFn: () => client.lookAtSchedule(id),
    staleTime: 0,
    gcTime: 0,
  });
  const proposed = data?.proposed ?? null;
  const agree = async (hash: string) => {
    setBusy(true);
    const done = await attempt(() => client.agreeToSchedule(id, { hash }));
    setBusy(false);
    void queries.invalidateQueries({ queryKey: ['schedule', id] });
    if (done === null) return;
    void queries.invalidateQueries({ queryKey: ['schedules'] });
    void queries.invalidateQueries({ queryKey: ['waiting'] });
    onClose();
  };
  const times = data?.times.slice(0, 3).map((at) => scheduleTime(data.row, at)) ?? [];
  const agreed = data?.state.agreement?.plan;
  const plan = proposed?.ok === true ? proposed.plan : agreed;
  const before = new Set(agreed?.steps.map(({ action }) => JSON.stringify(action)));
  return (
    <Dialog open onOpenChange={onClose} title={data === undefined ? 'Schedule' : visible(data.row.name)} wide>
      {error !== null ? <Trouble error={error} /> : null}
      {data === undefined && error === null ? <Skeleton rows={4} /> : null}
      {data === undefined ? null : (
        <div className="grid gap-3 overflow-auto p-4">
          {data.row.broken === null ? null : (
            <p className="text-wait [overflow-wrap:anywhere]">{visible(data.row.broken)}</p>
          )}
          {proposed === null && plan !== undefined ? (
            <p className="text-dim">
              You agreed to {count(plan.steps.length, 'step')}.{' '}
              {data.times.length === 0 ? 'No time comes.' : `Next: ${times.join(', ')} (${data.row.tz}).`}
            </p>
          ) : null}
          {proposed?.ok === false ? <p className="text-fail">{visible(proposed.message)}</p> : null}
          {plan === undefined || proposed?.ok === false ? null : (
            <ol aria-label="What it would run" className="overflow-hidden rounded-md border">
              {plan.steps.map((step, at) => {
                const { verb, text, body } = actionText(step.action);
                return (
                  <li key={step.id} className="flex gap-3 border-b px-3 py-1.5 last:border-0">
                    <span className="num w-6 shrink-0 text-right text-faint">{at + 1}</span>
                    <span className="min-w-0 flex-1">
                      {visible(step.title)}
                      <code className="mono block whitespace-pre-wrap text-dim [overflow-wrap:anywhere]">
                        {visibleLines([verb, text].filter(Boolean).join(' '))}
                        {body === undefined ? null : `\n${visibleLines(body)}`}
                      </code>
                    </span>
                    {before.has(JSON.stringify(step.action)) ? null : <span className="text-wait">new</span>}
                  </li>
                );
              })}
            </ol>
          )}
          <div className="flex justify-end gap-2">
            <Button look="ghost" onClick={onClose}>
              {proposed === null ? 'Close' : 'Leave it'}
            </Button>
            {proposed?.ok === true ? (
              <Button look="primary" disabled={busy} onClick={() => void agree(proposed.hash)}>
                Agree to this
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </Dialog>
  );
}
