import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { setLook, useLook } from '../api/look.ts';

/** Keys that do something by themselves, where nobody is typing and nothing lies above the page. */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>, active = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  // As soon as it is seen: who presses a key then means it.
  useLayoutEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      if (useLook.getState().open !== null || document.querySelector('[role=dialog],[role=menu]') !== null)
        return;
      const act = latest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [active]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function useGlobalKeys(): void {
  const navigate = useNavigate();
  useKeys({
    '?': () => setLook({ open: 'help' }),
    h: () => void navigate({ to: '/' }),
    n: () => void navigate({ to: '/new' }),
    c: () => void navigate({ to: '/chats' }),
    b: () => void navigate({ to: '/tasks' }),
    g: () => void navigate({ to: '/guard' }),
    ',': () => setLook({ open: 'settings' }),
  });
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setLook({ open: useLook.getState().open === 'palette' ? null : 'palette' });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
