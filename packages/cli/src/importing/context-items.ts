import type { ImportedContext } from '@annals/sdk';

const GOALS = 'goals';
const PATH = /^body\.user_context\.(\w+)(?:\[(\d+)\])?/;

/** A value of the user context by itself; of goals there are several. */
interface ContextItem {
  readonly field: string;
  readonly stated: { readonly value: string | null; readonly since: string };
}

export function listItems({ goals = [], ...fields }: ImportedContext): ContextItem[] {
  const single = Object.entries(fields).map(([field, stated]) => ({ field, stated }));
  return [...single, ...goals.map((stated) => ({ field: GOALS, stated }))];
}

export function toContext(items: readonly ContextItem[]): ImportedContext {
  const fields = items.filter((item) => !isGoal(item)).map(({ field, stated }) => [field, stated] as const);
  const goals = items.filter(isGoal).map(({ stated }) => stated);
  return { ...Object.fromEntries(fields), goals } as ImportedContext;
}

/** Where the item is that a path of the request names; null when it names none. */
export function placeOfValue(path: string, items: readonly ContextItem[]): number | null {
  const [, field, place] = PATH.exec(path) ?? [];
  const named = items.filter((item) => item.field === field)[Number(place ?? 0)];
  return named ? items.indexOf(named) : null;
}

const isGoal = ({ field }: ContextItem) => field === GOALS;
