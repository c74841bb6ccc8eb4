import type { Pages } from '@annals/sdk';
import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** A list of the API with what was read of it so far. */
export interface PagedList<Item, P = unknown> {
  readonly query: Pick<
    UseInfiniteQueryResult,
    'error' | 'fetchNextPage' | 'hasNextPage' | 'isFetchNextPageError' | 'isFetchingNextPage' | 'isPending'
  >;
  readonly items: readonly Item[];
  /** What the list says beside its items. */
  readonly first: P | undefined;
}

interface PagesOptions {
  /** Reads the list again after so many ms, while it is one page. */
  readonly refetchInterval?: number;
  /** Shows what was found before until the new list is read, as while somebody writes into a search. */
  readonly keepsShown?: boolean;
}

/** Reads a list page by page: `read` makes the list that begins at a cursor. */
export function usePages<Item, P extends Page<Item>>(
  key: readonly unknown[],
  read: (from: { readonly cursor?: string }) => Pages<P & Page<Item>, 'items'>,
  { refetchInterval = 0, keepsShown = false }: PagesOptions = {},
): PagedList<P['items'][number], P> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam === undefined ? {} : { cursor: pageParam }).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // Each reading again is of all pages: a list begins with the first one when it is opened, and grows by hand.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refetchInterval || false : false),
    ...(keepsShown && { placeholderData: keepPreviousData }),
  });
  const pages = query.data?.pages ?? [];
  return { query, items: pages.flatMap(({ items }) => items), first: pages[0] };
}
