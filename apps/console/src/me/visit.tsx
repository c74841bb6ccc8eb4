import { Annals } from '@annals/sdk';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from 'react-aria-components';
import { onRefusedKey, queries } from '../queries.ts';

/** An open page: a client that reaches this person alone. */
interface Visit {
  readonly client: Annals;
  readonly userId: string;
}

/** `failed`: the link may still be good; its token is kept in memory for another attempt. */
type VisitState =
  | { readonly kind: 'opening' | 'closed' | 'left' }
  | { readonly kind: 'failed'; readonly token: string }
  | { readonly kind: 'open'; readonly visit: Visit };

interface VisitContextValue {
  readonly visit: Visit;
  /** Ends the visit, here and on the server. */
  readonly leave: () => void;
  /** Ends the visit of a person who was erased, whose key is gone: what is shown stays. */
  readonly end: () => void;
}

const VisitContext = createContext<VisitContextValue | null>(null);

/** The API's address: the page is served at `<address>/me/`. */
const ADDRESS = new URL('..', document.baseURI).href;
/** Reloading the page goes on with the same visit. */
const KEPT = 'annals-visit';

interface VisitProviderProps {
  readonly opening: ReactNode;
  readonly closed: ReactNode;
  readonly left: ReactNode;
  readonly children: ReactNode;
}

/** Exchanges the link of the address, or goes on with the visit of this tab. */
export function VisitProvider({ opening, closed, left, children }: VisitProviderProps) {
  const [state, setState] = useState<VisitState>({ kind: 'opening' });
  const [hasEnded, setEnded] = useState(false);
  const open = useCallback(async (token: string | null) => {
    queries.clear();
    setEnded(false);
    setState({ kind: 'opening' });
    setState(await openVisit(token));
  }, []);

  useEffect(() => {
    void open(takeToken());
    // Another link that is opened in this tab, or in this frame, changes the fragment alone.
    const onHashChange = (): void => {
      const token = takeToken();
      if (token !== null) void open(token);
    };
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, [open]);

  useEffect(
    () =>
      onRefusedKey(() => {
        if (hasEnded) return;
        forget();
        queries.clear();
        setState({ kind: 'closed' });
      }),
    [hasEnded],
  );

  const visit = state.kind === 'open' ? state.visit : null;
  const value = useMemo(
    () =>
      visit && {
        visit,
        leave() {
          forget();
          void signOut(visit);
          queries.clear();
          setState({ kind: 'left' });
        },
        end() {
          forget();
          setEnded(true);
        },
      },
    [visit],
  );
  if (value) return <VisitContext value={value}>{children}</VisitContext>;
  if (state.kind === 'opening') return opening;
  if (state.kind === 'left') return left;
  if (state.kind === 'failed') return <TryAgain onRetry={() => void open(state.token)} />;
  return closed;
}

export function useVisit(): VisitContextValue {
  const value = useContext(VisitContext);
  if (!value) throw new Error('Nobody visits the page.');
  return value;
}

function TryAgain({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('later.title')}</h1>
      <p role="alert">{t('later.text')}</p>
      <Button onPress={onRetry}>{t('later.again')}</Button>
    </>
  );
}

/** The token of the address, which leaves it and the history of the browser at once. */
function takeToken(): string | null {
  const token = location.hash.slice(1);
  if (token === '') return null;
  history.replaceState(null, '', location.pathname);
  // Whoever had opened the page before is not who has this link.
  forget();
  return token;
}

async function openVisit(token: string | null): Promise<VisitState> {
  if (token !== null) return exchange(token);
  const kept = readKept();
  return kept ? toVisit(kept.key, kept.userId) : { kind: 'closed' };
}

async function exchange(token: string): Promise<VisitState> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(new URL('sign-in', document.baseURI), { method: 'POST', headers });
    if (response.status === 401) return { kind: 'closed' };
    if (!response.ok) return { kind: 'failed', token };
    const { key, user_id: userId } = (await response.json()) as { readonly key: string; readonly user_id: string };
    keep(key, userId);
    return toVisit(key, userId);
  } catch {
    return { kind: 'failed', token };
  }
}

function toVisit(apiKey: string, userId: string): VisitState {
  return { kind: 'open', visit: { client: new Annals({ baseUrl: ADDRESS, apiKey }), userId } };
}

async function signOut({ client }: Visit): Promise<void> {
  await client.key.delete().catch(() => undefined);
}

interface Kept {
  readonly key: string;
  readonly userId: string;
}

/** Browsers may have no storage, as in a frame of another site: the visit then ends with the page. */
function keep(key: string, userId: string): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ key, userId } satisfies Kept));
  } catch {
    return;
  }
}

function readKept(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    return;
  }
}
