import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from '@tanstack/react-router';
import { readHomeSearch, readRunSearch } from './addresses.ts';
import { HomeScreen } from './screens/home/home-screen.tsx';
import { Shell } from './shell/shell.tsx';
import { Notice, Trouble } from './ui/notice.tsx';

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
  validateSearch: readHomeSearch,
});
// What another screen needs is fetched when it is gone to.
const NewRunScreen = lazyRouteComponent(() => import('./screens/new/new-run-screen.tsx'), 'NewRunScreen');
const RunScreen = lazyRouteComponent(() => import('./screens/run/run-screen.tsx'), 'RunScreen');
const fresh = createRoute({ getParentRoute: () => root, path: '/new', component: NewRunScreen });
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$id',
  component: RunScreen,
  validateSearch: readRunSearch,
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
