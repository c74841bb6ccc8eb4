import type { Rng } from '@annals/domain';
import { type Book, renderMemory } from './book.ts';
import type { Caller } from './caller.ts';
import { pick } from './pick.ts';
import type { Tenant } from './population.ts';

/** Queries of all kinds. Every answer is examined for statements that its caller must not see. */
export class Askers {
  private readonly book: Book;
  private readonly caller: Caller;
  private readonly rng: Rng;

  constructor(book: Book, caller: Caller, rng: Rng) {
    this.book = book;
    this.caller = caller;
    this.rng = rng;
  }

  /** About one of the user's own statements, before a turn. */
  async askContext(tenant: Tenant): Promise<void> {
    const userId = pick(this.rng, tenant.users)!;
    await this.query(tenant, userId, this.chooseWords(tenant.index), 'context');
  }

  /** In the words of a statement of somebody else, most often of another tenant. */
  async askInForeignWords(tenant: Tenant): Promise<void> {
    const userId = pick(this.rng, tenant.users)!;
    const others = this.book.kept.length;
    await this.query(tenant, userId, this.chooseWords(Math.floor(this.rng.nextFloat() * others)), 'recall');
  }

  /** As of an earlier time of the run. */
  async askEarlier(tenant: Tenant): Promise<void> {
    const userId = pick(this.rng, tenant.users)!;
    const first = this.book.marks[0];
    if (!first) return;
    const until = Math.round(first.saidAt + this.rng.nextFloat() * (Date.now() - first.saidAt));
    const body = {
      query: this.chooseWords(tenant.index),
      filters: { user_id: userId },
      as_of: new Date(until).toISOString(),
      top_k: 10,
    };
    const answer = await this.caller.must('query', tenant.client, 'queryMemory', { body });
    this.book.examine(JSON.stringify(answer), { tenant: tenant.index, userId, until });
  }

  /** With a key of one user: about that user, or about another one, which has to be refused. */
  async askByBoundKey(tenant: Tenant): Promise<void> {
    const { client, userId } = tenant.bound;
    const asked = this.rng.nextFloat() < 0.5 ? userId : pick(this.rng, tenant.users)!;
    const body = { query: this.chooseWords(tenant.index), filters: { user_id: asked } };
    const answer = await this.caller.ask('query', client, 'queryMemory', { body });
    if (answer.ok) {
      this.book.examine(answer.text, { tenant: tenant.index, userId });
      if (asked !== userId) this.book.violate('foreign', `a key of ${userId} was answered about ${asked}`);
    } else if (asked === userId || answer.status !== 403) {
      this.book.violate('refused', `a key of ${userId} got ${answer.status} for ${asked}`);
    } else {
      this.book.count('queries refused to bound keys');
    }
  }

  /** The id of the memory of a statement; undefined when there is none yet. */
  async findMemory(tenant: Tenant, mark: Parameters<typeof renderMemory>[0] & { readonly userId: string }) {
    const content = renderMemory(mark);
    const body = {
      query: content,
      types: ['semantic' as const],
      filters: { user_id: mark.userId },
      return: 'full' as const,
    };
    const answer = await this.caller.must('query', tenant.client, 'queryMemory', { body });
    this.book.examine(JSON.stringify(answer), { tenant: tenant.index, userId: mark.userId });
    return answer.memories.find((hit) => 'content' in hit && hit.content === content)?.id;
  }

  private async query(tenant: Tenant, userId: string, query: string, purpose: 'context' | 'recall'): Promise<void> {
    const body = { query, purpose, filters: { user_id: userId }, top_k: 10 };
    const answer = await this.caller.must('query', tenant.client, 'queryMemory', { body });
    this.book.examine(JSON.stringify(answer), { tenant: tenant.index, userId });
  }

  private chooseWords(tenant: number): string {
    const mark = pick(this.rng, this.book.kept[tenant] ?? []);
    return mark ? `Where is item ${mark.number} of mark-${mark.number}x?` : 'What does the user collect?';
  }
}
