import { DEFAULT_TOP_K, MEMORY_TYPES, type MemoryQuery, type RecallType } from '@annals/contracts';
import type { CategoryView } from '@annals/domain';
import type { RecallSearch } from '@annals/storage';

/** A query with its parameters resolved, before anything is read from the database. */
export interface QueryPlan {
  readonly tenantId: string;
  readonly body: MemoryQuery;
  /** Redacted; null for a request without a query. */
  readonly query: string | null;
  readonly view: CategoryView;
  /** The agent that the caller's key is bound to. */
  readonly boundAgentId: string | null;
  /**
   * Whose conversations a summary may be of: of one agent that sees only what it began, of all (null), or of nobody, for
   * a summary can contain any category.
   */
  readonly summaryAgentId: { readonly id: string } | 'nobody' | null;
  /** The thread whose changes and revision are returned. */
  readonly threadId: string | null;
  readonly topK: number;
  /** The search without query and vector. */
  readonly scope: Omit<RecallSearch, 'queryVector' | 'query'>;
}

/** Candidates of each sort per result (docs/reference/recall.md#candidate-pool). */
const CANDIDATES_PER_ANSWER = 3;
/** A small `top_k` is selected among as many as ten results are. */
const MIN_CANDIDATES = 30;
/** Upper bound of memories that are listed by category, whatever the token budget. */
export const MAX_CATEGORY_MEMORIES = 1_000;
const PROCEDURAL = 'procedural';

type PlanInput = Pick<QueryPlan, 'tenantId' | 'body' | 'query' | 'view' | 'boundAgentId' | 'summaryAgentId'> &
  Pick<RecallSearch, 'userId' | 'visibleCategories' | 'insights' | 'mentions' | 'model' | 'now'>;

/** `now` in epoch ms. */
export function planQuery({
  userId,
  visibleCategories = null,
  insights,
  mentions = null,
  model,
  now,
  ...request
}: PlanInput): QueryPlan {
  const { body, query, view } = request;
  const topK = body.top_k ?? (query === null ? MAX_CATEGORY_MEMORIES : DEFAULT_TOP_K);
  return {
    ...request,
    threadId: body.thread_id ?? body.filters.thread_id ?? null,
    topK,
    scope: {
      userId,
      model,
      filters: { ...body.filters, mentions: undefined },
      mentions,
      categories: view.categories,
      exceptCategories: view.exceptCategories,
      visibleCategories,
      ...(insights ? { insights } : {}),
      types: resolveTypes(body),
      asOf: body.as_of ?? null,
      knownAt: body.known_at ?? null,
      currentOnly: body.current === true,
      threadId: null,
      now,
      limit: Math.max(MIN_CANDIDATES, CANDIDATES_PER_ANSWER * topK),
    },
  };
}

/** The categories that a request names, each of which must be allowed. */
function listNamedCategories({ categories, filters }: MemoryQuery): string[] | undefined {
  const named = [...(categories ?? []), ...(filters.category === undefined ? [] : [filters.category])];
  return named.length === 0 ? undefined : named;
}

/** Procedural memories only on request (docs/reference/categories-and-agents.md#categories-on-request-only). */
function resolveTypes(body: MemoryQuery): RecallType[] {
  const requestedTypes: readonly RecallType[] = body.types ?? [...MEMORY_TYPES, 'turn'];
  const isNamed = listNamedCategories(body)?.includes(PROCEDURAL) ?? false;
  return requestedTypes.filter((type) => type !== PROCEDURAL || isNamed);
}
