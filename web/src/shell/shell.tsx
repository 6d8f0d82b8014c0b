import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useLook } from '../api/look.ts';
import { useServer } from '../api/server.ts';
import { Announcer } from './announcer.tsx';
import { useGlobalKeys } from './keys.ts';
import { SignIn } from './sign-in.tsx';
import { StatusBar } from './status-bar.tsx';
import { Toasts } from './toasts.tsx';
import { TopBar } from './top-bar.tsx';

const Help = lazy(() => import('./help.tsx').then((m) => ({ default: m.Help })));
const Palette = lazy(() => import('./palette.tsx').then((m) => ({ default: m.Palette })));
const Services = lazy(() => import('../screens/services.tsx').then((m) => ({ default: m.Services })));
const Settings = lazy(() =>
  import('../screens/settings/settings.tsx').then((m) => ({ default: m.Settings })),
);

export function Shell() {
  const open = useLook((look) => look.open);
  const connection = useServer((server) => server.connection);
  useGlobalKeys();
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[44px_minmax(0,1fr)_26px] overflow-hidden">
      <a
        href="#main"
        className="-translate-y-20 absolute top-2 left-2 z-60 rounded-md bg-raised px-3 py-1 focus:translate-y-0"
      >
        Skip to the content
      </a>
      <TopBar />
      <div className="flex min-h-0 min-w-0 flex-col">
        {connection === 'lost' ? <Offline /> : null}
        <main id="main" className="min-h-0 min-w-0 flex-1" tabIndex={-1}>
          {connection === 'locked' ? <SignIn /> : <Outlet />}
        </main>
      </div>
      <StatusBar />
      <Suspense fallback={null}>
        {open === 'palette' ? <Palette /> : null}
        {open === 'help' ? <Help /> : null}
        {open === 'settings' ? <Settings /> : null}
        {open === 'services' ? <Services /> : null}
      </Suspense>
      <Toasts />
      <Announcer />
    </div>
  );
}

/** On every screen alike: clocks of what runs go on by themselves, and nobody knows what became of it. */
function Offline() {
  return (
    <p role="alert" className="shrink-0 border-b bg-fail-bg px-4 py-1.5 text-fail max-md:px-3">
      The server does not answer. What you see may be old; it is asked again and again.
    </p>
  );
}
