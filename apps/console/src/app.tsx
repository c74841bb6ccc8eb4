import { Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { lazyPage } from './layout/lazy-page.tsx';
import { PageBoundary } from './layout/page-boundary.tsx';
import { listPages, Shell } from './layout/shell.tsx';
import { Loading, NoSuchPage } from './parts/state.tsx';
import { OpenLink } from './session/open-link.tsx';
import { SignIn } from './session/sign-in.tsx';
import { useSession, useSessionState } from './session/session.tsx';

const UsersPage = lazyPage(() => import('./pages/users/users-page.tsx'));
const UserPage = lazyPage(() => import('./pages/user/user-page.tsx'));
const MemoryPage = lazyPage(() => import('./pages/memory/memory-page.tsx'));
const AskPage = lazyPage(() => import('./pages/ask/ask-page.tsx'));
const TryPage = lazyPage(() => import('./pages/try/try-page.tsx'));
const BatchPage = lazyPage(() => import('./pages/batch/batch-page.tsx'));
const PipelinePage = lazyPage(() => import('./pages/pipeline/pipeline-page.tsx'));
const MoneyPage = lazyPage(() => import('./pages/money/money-page.tsx'));
const QualityPage = lazyPage(() => import('./pages/quality/quality-page.tsx'));
const EventsPage = lazyPage(() => import('./pages/events/events-page.tsx'));
const KeysPage = lazyPage(() => import('./pages/keys/keys-page.tsx'));
const TenantsPage = lazyPage(() => import('./pages/tenants/tenants-page.tsx'));
const DeploymentPage = lazyPage(() => import('./pages/tenants/deployment-page.tsx'));
const CategoriesPage = lazyPage(() => import('./pages/categories/categories-page.tsx'));
const PAGES = [
  UsersPage,
  UserPage,
  MemoryPage,
  AskPage,
  TryPage,
  BatchPage,
  PipelinePage,
  MoneyPage,
  QualityPage,
  EventsPage,
  KeysPage,
  TenantsPage,
  DeploymentPage,
  CategoriesPage,
] as const;
/** Until the first page has asked for what it shows. */
const PREFETCH_AFTER_MS = 500;

export function App() {
  const { session, reason } = useSessionState();
  const [location] = useLocation();
  // A one-time link, also of a later start of the process in a tab that is open already.
  const linked = /^\/start\/([\w-]+)$/.exec(location)?.[1] ?? null;
  const [opening, setOpening] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  if (linked !== null && linked !== opening) {
    setOpening(linked);
    setRefusal(null);
  }
  useEffect(() => {
    if (!session) return undefined;
    // Opening another page then waits for its data alone. One that cannot be loaded says so once it is opened.
    const timer = setTimeout(() => void Promise.allSettled(PAGES.map((page) => page.prefetch())), PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [session]);
  if (opening !== null)
    return (
      <OpenLink
        key={opening}
        token={opening}
        onDone={(failure) => {
          setRefusal(failure);
          setOpening(null);
        }}
      />
    );
  // The address stays: after signing in, a shared link shows its page.
  if (!session) return <SignIn reason={refusal ?? reason} />;
  return (
    <Shell>
      {/* Another page may well be shown. */}
      <PageBoundary key={location}>
        <Suspense fallback={<Loading what="page" />}>
          <Switch>
            <Route path="/" component={Start} />
            <Route path="/users" component={UsersPage} />
            <Route path="/users/:userId/:part?">
              {({ userId, part }) => <UserPage key={userId} segment={userId} part={part ?? ''} />}
            </Route>
            <Route path="/memories/:id">{({ id }) => <MemoryPage key={id} id={id} />}</Route>
            <Route path="/ask" component={AskPage} />
            <Route path="/try" component={TryPage} />
            <Route path="/batches/:id">{({ id }) => <BatchPage key={id} id={id} />}</Route>
            <Route path="/pipeline" component={PipelinePage} />
            <Route path="/money" component={MoneyPage} />
            <Route path="/quality" component={QualityPage} />
            <Route path="/events" component={EventsPage} />
            <Route path="/keys" component={KeysPage} />
            <Route path="/tenants" component={TenantsPage} />
            <Route path="/deployment" component={DeploymentPage} />
            <Route path="/categories" component={CategoriesPage} />
            <Route component={NoSuchPage} />
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

/** The first page of the key. */
function Start() {
  const { key } = useSession();
  const [first] = listPages(key);
  const mayRead = key.scopes.includes('query') || key.scopes.includes('admin');
  if (key.user_id !== null && mayRead) return <Redirect to={`/users/${encodeURIComponent(key.user_id)}`} replace />;
  return <Redirect to={first?.path ?? '/categories'} replace />;
}
