import type { Memory } from '@annals/sdk';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Choice } from '../../parts/choice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useClient } from '../../session/session.tsx';
import type { OfUser } from './user-page.tsx';

const PAGE_SIZE = 200;
const ROW_HEIGHT = 76;

/** What is true now, by category. Pages are loaded as the list is scrolled: ten thousand memories take no longer to show. */
export function Known({ userId }: OfUser) {
  const client = useClient();
  const [search, setSearch] = useSearchParams();
  const category = search.get('category');
  const list = usePages(['memories', userId, category], (from) =>
    client.memories.list({ user_id: userId, limit: PAGE_SIZE, ...(category ? { category } : {}), ...from }),
  );
  const categories = useQuery({ queryKey: ['categories'], queryFn: () => client.categories.get() });
  return (
    <>
      <PageHead
        tab="Known now"
        title={userId}
        call={`GET /v1/memories?user_id=${encodeURIComponent(userId)}${category ? `&category=${category}` : ''}`}
      >
        <Choice
          label="Category"
          all="all categories"
          options={categories.data?.categories.map(({ name }) => name) ?? []}
          value={category}
          onChange={(name) => setSearch(name ? { category: name } : {})}
        />
      </PageHead>
      <Paged
        list={list}
        what="memories"
        empty={
          <Empty title="Nothing is known">
            <p>Memories appear once a conversation of this user is extracted. Its batches are under Conversations.</p>
          </Empty>
        }
      >
        {(memories) => (
          <MemoryList
            memories={memories}
            isComplete={!list.query.hasNextPage}
            // After a failure, the button below tries again: the list would without end.
            hasMore={list.query.hasNextPage && !list.query.isFetchingNextPage && !list.query.isFetchNextPageError}
            onEnd={() => void list.query.fetchNextPage()}
          />
        )}
      </Paged>
    </>
  );
}

interface MemoryListProps {
  readonly memories: readonly Memory[];
  readonly hasMore: boolean;
  /** Whether there are no others. */
  readonly isComplete: boolean;
  readonly onEnd: () => void;
}

/** Only the rows that can be seen are in the document. */
function MemoryList({ memories, hasMore, isComplete, onEnd }: MemoryListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: memories.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    getItemKey: (index) => memories[index]!.id,
  });
  const shown = rows.getVirtualItems();
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= memories.length - 1;
  useEffect(() => {
    if (isAtEnd && hasMore) onEnd();
  }, [isAtEnd, hasMore, onEnd]);
  return (
    <div className="list" ref={box} tabIndex={0} role="region" aria-label="Memories">
      <ul style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const memory = memories[index]!;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={isComplete ? memories.length : -1}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <p>
                <Link href={`/memories/${memory.id}`}>{memory.content}</Link>
              </p>
              <p className="facts">
                <span className="tag">{memory.category}</span> since <Moment at={memory.valid_from} day /> ·{' '}
                {memory.sources.length} {memory.sources.length === 1 ? 'source' : 'sources'}
                {memory.pinned && ' · pinned'}
              </p>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
