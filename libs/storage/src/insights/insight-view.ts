import type { Bind } from '../query/binder.js';

/** Who asks for insights (docs/reference/insights.md#who-sees-an-insight). */
export interface InsightView {
  /** `ANNALS_INSIGHTS`: for people who have not decided. */
  readonly isOnByDefault: boolean;
  /** The agent that the request or its key is bound to; null for none. */
  readonly agentId: string | null;
  /** Categories that the caller may see; null for all. */
  readonly categories: readonly string[] | null;
}

/** SQL of whether insights are on for the user. `user` and `isOnByDefault` are SQL. */
export function isOnSql(user: string, isOnByDefault: string): string {
  return `coalesce((SELECT c.fields -> 'insights' ->> 'value' FROM user_contexts c WHERE c.user_id = ${user}),
                   CASE WHEN ${isOnByDefault}::boolean THEN 'on' ELSE 'off' END) = 'on'`;
}

/**
 * SQL of whether the caller may see the memory `m`, should it be an insight: not one that was made from conversations of
 * another agent, nor one that rests on a memory in a category that they may not see, or that was purged if they may not see all.
 */
export function isInsightInViewSql(m: string, { agentId, categories }: InsightView, bind: Bind): string {
  const allowed = `${bind(categories)}::text[]`;
  // A comparison with null is no row: whoever is not restricted sees all. Of a purged memory no category is known.
  return `NOT EXISTS (SELECT FROM insights i WHERE i.memory_id = ${m}.id AND i.agent_id <> ${bind(agentId)}::text)
      AND NOT EXISTS (SELECT FROM insight_grounds g LEFT JOIN memories k ON k.id = g.ground_id
                       WHERE g.memory_id = ${m}.id AND g.ground_id IS NOT NULL
                         AND coalesce(k.category <> ALL (${allowed}), ${allowed} IS NOT NULL))`;
}

/** SQL of whether the memory `m` is served: it is no insight, or insights are on and the caller may see it. */
export function isServedInsightSql(m: string, view: InsightView, bind: Bind): string {
  return `(${m}.type <> 'insight' OR (${isOnSql(`${m}.user_id`, bind(view.isOnByDefault))}
      AND ${isInsightInViewSql(m, view, bind)}))`;
}
