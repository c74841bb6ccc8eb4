import { Annals, type OwnKey } from '@annals/sdk';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { onRefusedKey, queries } from '../queries.ts';

/** Whoever is signed in: a client with the API key, and what the key may do. */
export interface Session {
  readonly client: Annals;
  readonly key: OwnKey;
  /** Whether the key was made for a one-time link, and ends with the session. */
  readonly isOfLink: boolean;
}

interface SessionState {
  readonly session: Session | null;
  /** Why there is no session any more, if nobody has ended it. */
  readonly reason: string | null;
  readonly signIn: (apiKey: string) => Promise<void>;
  /** By the one-time link that `npm start` prints. @throws Error that says what to do instead */
  readonly signInByLink: (token: string) => Promise<void>;
  readonly signOut: () => void;
}

const SessionContext = createContext<SessionState | null>(null);

/** The API's address: the console is served at `<address>/console/`. */
const ADDRESS = new URL('..', document.baseURI).href;

/** Holds the API key in the memory of this tab: it is in no storage, cookie or URL, and gone when the tab is reloaded. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  useEffect(
    () =>
      onRefusedKey((why) => {
        setReason(why);
        setSession(null);
        queries.clear();
      }),
    [],
  );
  const state = useMemo<SessionState>(() => {
    const open = async (apiKey: string, isOfLink: boolean): Promise<void> => {
      const client = new Annals({ baseUrl: ADDRESS, apiKey });
      const key = await client.key.get();
      // Of whoever was signed in before.
      queries.clear();
      setReason(null);
      setSession({ client, key, isOfLink });
    };
    return {
      session,
      reason,
      signIn: async (apiKey) => open(apiKey, false),
      signInByLink: async (token) => open(await exchangeLink(token), true),
      signOut() {
        // Nobody else has the key of a link.
        if (session?.isOfLink) void session.client.key.delete().catch(() => undefined);
        setReason(null);
        setSession(null);
        queries.clear();
      },
    };
  }, [session, reason]);
  return <SessionContext value={state}>{children}</SessionContext>;
}

export function useSessionState(): SessionState {
  const state = useContext(SessionContext);
  if (!state) throw new Error('Put the component into SessionProvider.');
  return state;
}

/** Only pages behind the sign-in may use it. */
export function useSession(): Session {
  const { session } = useSessionState();
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

export function useClient(): Annals {
  return useSession().client;
}

/** The key that the gateway makes for the link, which then is used up. */
async function exchangeLink(token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL('sign-in', document.baseURI), { method: 'POST', headers });
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  const answer = isJson ? ((await response.json()) as { readonly key?: string; readonly detail?: string }) : {};
  if (answer.key === undefined)
    throw new Error(answer.detail ?? 'The link could not be used now. Open it again, or sign in with an API key.');
  return answer.key;
}
