import { useNavigate } from '@tanstack/react-router';
import { count, rowSentence } from '@told';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { useWaiting } from '../api/queries.ts';
import { onRow } from '../api/rows.ts';
import { favicon, notify } from './notify.ts';

/** What the open page is about: the first part of the window's title. */
export const usePageTitle = create<{ title: string }>(() => ({ title: '' }));
export function useTitle(title: string): void {
  useEffect(() => {
    usePageTitle.setState({ title });
    return () => usePageTitle.setState({ title: '' });
  }, [title]);
}

/** Says outside the page what waits: in the title, the icon, a notification, and to screen readers. */
export function Announcer() {
  const navigate = useNavigate();
  const title = usePageTitle((state) => state.title);
  const waiting = useWaiting().data?.waiting;
  const n = waiting?.length ?? 0;
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    document.title = `${n > 0 ? `(${n}) ` : ''}${title === '' ? 'Planwright' : `${title} · Planwright`}`;
  }, [n, title]);
  useEffect(() => {
    document.querySelector<HTMLLinkElement>('link[rel=icon]')?.setAttribute('href', favicon(n));
  }, [n]);
  useEffect(() => {
    if (waiting === undefined) return;
    const now = new Set(waiting.map(({ row, stepId }) => `${row.id}/${stepId}`));
    const fresh = waiting.filter(({ row, stepId }) => known.current?.has(`${row.id}/${stepId}`) === false);
    known.current = now;
    for (const { row, stepTitle } of fresh)
      notify(
        stepTitle ?? 'Waiting for you',
        row.goal,
        () => void navigate({ to: '/runs/$id', params: { id: row.id } }),
      );
  }, [waiting, navigate]);
  useEffect(
    () =>
      onRow((row, before) => {
        // What has just come to an end, or stopped; what waits is told above.
        const over = row.endedAt !== null || row.state === 'failed' || row.state === 'paused';
        if (!over || before === row.state) return;
        notify(
          rowSentence(row, Date.now()).text,
          row.goal,
          () => void navigate({ to: '/runs/$id', params: { id: row.id }, search: {} }),
        );
      }),
    [navigate],
  );
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {n > 0 ? `${count(n, 'run')} waiting for you` : ''}
    </div>
  );
}
