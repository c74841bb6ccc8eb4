import type { OwnKey } from '@annals/sdk';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { useSession, useSessionState } from '../session/session.tsx';

const PAGES = [
  { path: '/users', name: 'Users', scopes: ['admin'] },
  { path: '/ask', name: 'Ask', scopes: ['query'] },
  { path: '/try', name: 'Try it', scopes: ['ingest'] },
  { path: '/pipeline', name: 'Pipeline', scopes: ['admin'] },
  { path: '/money', name: 'Money', scopes: ['admin'] },
  { path: '/quality', name: 'Quality', scopes: ['admin'] },
  { path: '/events', name: 'Events', scopes: ['admin'] },
  { path: '/keys', name: 'Keys', scopes: ['admin'] },
  { path: '/tenants', name: 'Tenants', scopes: ['operator'] },
  { path: '/deployment', name: 'Deployment', scopes: ['operator'] },
  { path: '/categories', name: 'Categories', scopes: ['query', 'admin', 'operator'] },
] as const;

/** The pages of which a key may call the routes. */
export function listPages(key: OwnKey) {
  return PAGES.filter(({ scopes }) => scopes.some((scope) => key.scopes.includes(scope)));
}

/** Navigation around every page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { signOut } = useSessionState();
  const { key } = useSession();
  const [location, navigate] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    // A screen reader begins with the page that was opened, as after a request.
    main.current?.focus();
  }, [location]);
  return (
    <div className="shell">
      <button className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header>
        <Link href="/" className="brand">
          Annals
        </Link>
        <nav aria-label="Pages">
          {listPages(key).map(({ path, name }) => (
            <Link key={path} href={path} aria-current={location.startsWith(path) ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <span className="facts">{key.tenant?.name ?? 'operator'}</span>
        <Button
          className="react-aria-Button quiet"
          onPress={() => {
            // The next key may have other pages.
            navigate('/');
            signOut();
          }}
        >
          Sign out
        </Button>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
    </div>
  );
}
