import { useNavigate } from '@tanstack/react-router';
import { rowSentence } from '@told';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { useWaiting } from '../api/queries.ts';
import { onRow } from '../api/rows.ts';
import { allWaiting, keyOf, wayTo, wordsOf } from '../model/home.ts';
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
  const asks = useWaiting().data;
  const n = allWaiting(asks).length;
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    document.title = `${n > 0 ? `(${n}) ` : ''}${title === '' ? 'Planwright' : `${title} · Planwright`}`;
  }, [n, title]);
  useEffect(() => {
    document.querySelector<HTMLLinkElement>('link[rel=icon]')?.setAttribute('href', favicon(n));
  }, [n]);
  useEffect(() => {
    if (asks === undefined) return;
    const waiting = allWaiting(asks);
    const fresh = waiting.filter((one) => known.current?.has(keyOf(one)) === false);
    known.current = new Set(waiting.map(keyOf));
    for (const one of fresh) {
      const { asks: said, about } = wordsOf(one);
      notify(said, about, () => void navigate(wayTo(one)));
    }
  }, [asks, navigate]);
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
      {n > 0 ? `${n} waiting for you` : ''}
    </div>
  );
}
