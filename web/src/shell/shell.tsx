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
  const locked = useServer(({ connection }) => connection === 'locked');
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
      <main id="main" className="min-h-0 min-w-0" tabIndex={-1}>
        {locked ? <SignIn /> : <Outlet />}
      </main>
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
