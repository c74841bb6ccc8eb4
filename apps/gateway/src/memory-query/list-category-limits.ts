import { type CategoryConfig, DEFAULT_RAG_LENGTH } from '@annals/domain';
import type { CategoryLimits } from '@annals/storage';

/**
 * How many memories of each category a request without a query returns
 * (docs/reference/categories-and-agents.md#context-modes): up to `limit` with the mode `all`, then `rag_length` of the
 * others.
 */
export function listCategoryLimits({ categories }: CategoryConfig, limit: number): CategoryLimits {
  const whole = categories.filter(({ context }) => context === 'all').map(({ name }) => [name, limit] as const);
  const searched = categories.flatMap((category) =>
    category.context === 'rag' ? [[category.name, category.ragLength] as const] : [],
  );
  return { limits: new Map([...whole, ...searched]), otherLimit: DEFAULT_RAG_LENGTH, limit };
}
