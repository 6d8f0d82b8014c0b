import { createRootRoute, createRoute, createRouter, Link } from '@tanstack/react-router';
import { HomeScreen } from './screens/home/home-screen.tsx';
import { NewRunScreen } from './screens/new/new-run-screen.tsx';
import { RunScreen } from './screens/run/run-screen.tsx';
import { Shell } from './shell/shell.tsx';
import { Notice, Trouble } from './ui/notice.tsx';

export const tabs = ['output', 'result', 'changes', 'attempts', 'story', 'events'] as const;
export type Tab = (typeof tabs)[number];

export interface HomeSearch {
  q?: string | undefined;
  show?: 'active' | 'waiting' | 'done' | 'failed' | undefined;
}
export interface RunSearch {
  step?: string | undefined;
  tab?: Tab | undefined;
  attempt?: number | undefined;
  /** A line of the output that was linked to. */
  line?: number | undefined;
  /** The run as it was at this event. */
  at?: number | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const whole = (value: unknown) => {
  const n = Number(value);
  return value !== undefined && Number.isInteger(n) && n >= 0 ? n : undefined;
};
const one = <T extends string>(value: unknown, of: readonly T[]) => of.find((known) => known === value);
/** What is missing stays out of the address. */
const present = <T extends object>(search: T) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const root = createRootRoute({
  component: Shell,
  errorComponent: ({ error, reset }) => <Trouble error={error} retry={reset} />,
  notFoundComponent: () => (
    <Notice
      title="There is nothing here"
      action={
        <Link to="/" className="underline underline-offset-4">
          See all runs
        </Link>
      }
    />
  ),
});
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: HomeScreen,
  validateSearch: (search): HomeSearch =>
    present({
      q: text(search['q']),
      show: one(search['show'], ['active', 'waiting', 'done', 'failed'] as const),
    }),
});
const fresh = createRoute({ getParentRoute: () => root, path: '/new', component: NewRunScreen });
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$id',
  component: RunScreen,
  validateSearch: (search): RunSearch =>
    present({
      step: text(search['step']),
      tab: one(search['tab'], tabs),
      attempt: whole(search['attempt']),
      line: whole(search['line']),
      at: whole(search['at']),
    }),
});

export const router = createRouter({
  routeTree: root.addChildren([home, fresh, run]),
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
