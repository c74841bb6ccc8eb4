import type { LangGraphStoreResults } from '@annals/sdk';
import type { Item, SearchItem } from '@langchain/langgraph-checkpoint';
import type { StoreStatistics } from './options.js';

export type SentResult = LangGraphStoreResults['results'][number];
type SentItem = NonNullable<Extract<SentResult, { op: 'get' }>['item']>;

/** The result of an operation as LangGraph has it: nothing for a put or a deletion. */
export function readResult(result: SentResult): Item | SearchItem[] | string[][] | null | undefined {
  switch (result.op) {
    case 'get':
      return result.item && toItem(result.item);
    case 'search':
      return result.items.map((item) => ({
        ...toItem(item),
        ...(item.score === null ? {} : { score: item.score }),
      }));
    case 'list_namespaces':
      return result.namespaces;
    default:
      return undefined;
  }
}

export function readStatistics(result: SentResult | undefined): StoreStatistics {
  if (result?.op !== 'statistics') throw new Error('Annals answered another operation than statistics.');
  const { items, expired, namespaces, oldest, newest } = result;
  const toDate = (text: string | null) => (text === null ? null : new Date(text));
  return {
    totalItems: items,
    expiredItems: expired,
    namespaceCount: namespaces,
    oldestItem: toDate(oldest),
    newestItem: toDate(newest),
  };
}

function toItem({ namespace, key, value, created_at: createdAt, updated_at: updatedAt }: SentItem): Item {
  return { namespace, key, value, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}
