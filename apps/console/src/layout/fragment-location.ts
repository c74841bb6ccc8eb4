import { useSyncExternalStore } from 'react';
import type { BaseLocationHook, BaseSearchHook } from 'wouter';

/**
 * Path and parameters of a page in the fragment of the URL: `#/users/ada?category=tasks`. A link can be shared, and the
 * ids of users in it reach no server, proxy or log. Unlike wouter's hook, which puts the parameters before the fragment.
 */
export const useFragmentPath: BaseLocationHook = Object.assign(
  (): [string, typeof navigate] => [useSyncExternalStore(subscribe, readPath), navigate],
  { hrefs: (href: string) => `#${href}` },
);

export const useFragmentSearch: BaseSearchHook = () => useSyncExternalStore(subscribe, readSearch);

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** A segment of a path as it was before it was encoded; null for one that nobody can have encoded. */
export function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function readPath(): string {
  return keepEncoded(`/${location.hash.replace(/^#?\/?/, '').split('?', 1)[0]}`);
}

function readSearch(): string {
  return keepEncoded(location.hash.split('?').slice(1).join('?'));
}

/** wouter decodes once what it is given: decoded again, the id `%41` would become that of another user. */
function keepEncoded(text: string): string {
  return text.replaceAll('%', '%25');
}

function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
