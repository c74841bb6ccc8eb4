import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { Failure, Loading } from './state.tsx';
import type { PagedList } from './use-pages.ts';

interface PagedProps<Item> {
  readonly list: PagedList<Item>;
  /** What the list has, in the plural. */
  readonly what: string;
  /** Shown in the place of a list without items. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list with its states: being read, failed, empty, and with more to read. */
export function Paged<Item>({ list: { query, items }, what, empty, children }: PagedProps<Item>) {
  if (query.isPending) return <Loading what={what} />;
  if (query.error && items.length === 0) return <Failure error={query.error} />;
  if (items.length === 0) return empty;
  return (
    <>
      {children(items)}
      {query.error && <Failure error={query.error} />}
      <LoadMore query={query} what={what} />
    </>
  );
}

export function LoadMore({ query, what }: Pick<PagedList<unknown>, 'query'> & { readonly what: string }) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      className="react-aria-Button quiet"
      onPress={() => void query.fetchNextPage()}
      isPending={query.isFetchingNextPage}
    >
      Load more {what}
    </Button>
  );
}
