import type { ApiClient } from '@annals/testing';
import { findMarks, type Mark, renderCorrection, renderMemory } from '../load/book.ts';
import type { Tenant } from '../load/population.ts';

const PAGE = 200;

/** A current memory, as its tenant sees it. */
export interface SeenMemory {
  readonly tenant: number;
  readonly userId: string;
  readonly content: string;
}

/** Every current memory of every tenant that shows a mark, read through the API. */
export async function readMemories(tenants: readonly Tenant[]): Promise<SeenMemory[]> {
  const seen: SeenMemory[] = [];
  for (const { index, client } of tenants) {
    for await (const { user_id: userId, content } of listAll(client))
      if (userId !== null && findMarks(content).length > 0) seen.push({ tenant: index, userId, content });
  }
  return seen;
}

async function* listAll(client: ApiClient) {
  let cursor: string | undefined;
  do {
    const page = await client.must('listMemories', {
      query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    });
    yield* page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

export interface MemoryFindings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly foreign: string[];
  /** Statements that somebody corrected or deleted, or who was erased, and that are remembered as they were. */
  readonly returned: string[];
}

/** Compares what is remembered with what was said and what happened to it. */
export function compareMemories(marks: readonly Mark[], seen: readonly SeenMemory[]): MemoryFindings {
  const findings: MemoryFindings = { lost: [], doubled: [], foreign: [], returned: [] };
  const byMark = new Map<number, SeenMemory[]>();
  for (const memory of seen) {
    for (const number of findMarks(memory.content)) byMark.set(number, [...(byMark.get(number) ?? []), memory]);
  }
  for (const mark of marks) {
    const memories = byMark.get(mark.number) ?? [];
    const own = memories.filter(({ tenant, userId }) => tenant === mark.tenant && userId === mark.userId);
    const name = `mark ${mark.number} of tenant ${mark.tenant}, ${mark.userId}`;
    if (own.length < memories.length) findings.foreign.push(`${name} is remembered of somebody else`);
    const expected = expectContent(mark);
    const right = own.filter(({ content }) => content === expected);
    if (expected !== null && right.length === 0) findings.lost.push(`${name} (${mark.fate})`);
    if (right.length > 1) findings.doubled.push(`${name} is remembered ${right.length} times`);
    if (own.length > right.length) findings.returned.push(`${name} (${mark.fate}) is remembered as it was`);
  }
  return findings;
}

/** What has to be remembered of a statement in the end; null: nothing. */
function expectContent(mark: Mark): string | null {
  if (mark.fate === 'erased' || (mark.fate === 'deleted' && mark.isChanged)) return null;
  return mark.fate === 'corrected' && mark.isChanged ? renderCorrection(mark) : renderMemory(mark);
}
