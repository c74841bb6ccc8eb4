import { ProblemError } from '@annals/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

let whenRefused: (reason: string) => void = () => undefined;

/** Calls back when the key is refused: it has ended, or was revoked. */
export function onRefusedKey(callback: (reason: string) => void): void {
  whenRefused = callback;
}

function onError(error: unknown): void {
  if (error instanceof ProblemError && error.status === 401) whenRefused(explain(error));
}

/** What was read stays shown while it is read again; the client retries what can succeed later by itself. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true } },
});

/** One sentence for a person: what happened, and what to do. */
export function explain(error: unknown): string {
  if (error instanceof ProblemError) return error.message;
  return error instanceof Error ? error.message : 'Something failed. Reload the page.';
}
