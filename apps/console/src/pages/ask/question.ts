import type { MemoryQuery } from '@annals/sdk';

/** Fields of the form, and parameters of the page's address. */
export const FIELDS = [
  { name: 'user', label: 'User', type: 'text', isRequired: true },
  { name: 'query', label: 'Question', type: 'text', isRequired: true },
  { name: 'agent', label: 'As agent', type: 'text', isRequired: false },
  { name: 'thread', label: 'In thread', type: 'text', isRequired: false },
  { name: 'since', label: 'Changes since revision', type: 'number', isRequired: false },
  { name: 'tokens', label: 'Token budget', type: 'number', isRequired: false },
  { name: 'as_of', label: 'As of', type: 'date', isRequired: false },
] as const;

export type Question = Readonly<Partial<Record<(typeof FIELDS)[number]['name'], string>>>;

export function readQuestion(search: URLSearchParams): Question {
  return toParameters(Object.fromEntries(search));
}

/** The known fields that are filled in, in one order: the same question has the same address. */
export function toParameters(given: Question | Readonly<Record<string, string>>): Record<string, string> {
  const values: Readonly<Record<string, string | undefined>> = given;
  return Object.fromEntries(
    FIELDS.flatMap(({ name }) => {
      const value = values[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** Whether it can be asked. */
export function isComplete({ user, query }: Question): boolean {
  return user !== undefined && query !== undefined;
}

/** The body of `POST /v1/memory/query`. A day means its end, in UTC: what began on it held. */
export function toRequest({ user = '', query, agent, thread, since, tokens, as_of: asOf }: Question): MemoryQuery {
  return {
    ...(query === undefined ? {} : { query }),
    filters: { user_id: user },
    explain: true,
    return: 'full',
    ...(agent === undefined ? {} : { agent }),
    ...(thread === undefined ? {} : { thread_id: thread }),
    ...(since === undefined ? {} : { since_rev: Number(since) }),
    ...(tokens === undefined ? {} : { budget_tokens: Number(tokens) }),
    ...(asOf === undefined ? {} : { as_of: `${asOf}T23:59:59.999Z` }),
  };
}
