import type { Rng } from '@annals/domain';
import type { Askers } from './ask.ts';
import { type Book, type Mark, renderCorrection } from './book.ts';
import type { Caller } from './caller.ts';
import { pick } from './pick.ts';
import type { Tenant } from './population.ts';

/** Corrections and deletions of memories, and people who are erased. */
export class Changers {
  private readonly book: Book;
  private readonly caller: Caller;
  private readonly askers: Askers;
  private readonly rng: Rng;
  private readonly inProgress = new Set<Mark>();

  constructor(book: Book, caller: Caller, askers: Askers, rng: Rng) {
    this.book = book;
    this.caller = caller;
    this.askers = askers;
    this.rng = rng;
  }

  /** Corrects or deletes a memory of which that is expected, if it is there yet. */
  async change(tenant: Tenant, fate: 'corrected' | 'deleted'): Promise<void> {
    const open = this.book.marks.filter(
      (mark) => mark.tenant === tenant.index && mark.fate === fate && !mark.isChanged && !this.inProgress.has(mark),
    );
    const mark = pick(this.rng, open);
    if (!mark) return;
    this.inProgress.add(mark);
    try {
      await this.changeMark(tenant, mark);
    } finally {
      this.inProgress.delete(mark);
    }
  }

  /** In the end: what was meant to change and has not yet. */
  async changeAll(tenants: readonly Tenant[]): Promise<void> {
    for (const mark of this.book.marks) {
      const isOpen = (mark.fate === 'corrected' || mark.fate === 'deleted') && !mark.isChanged;
      if (isOpen) await this.changeMark(tenants[mark.tenant]!, mark);
    }
  }

  async erase(tenant: Tenant, userId: string): Promise<void> {
    await this.caller.must('other', tenant.client, 'eraseUser', { params: { user_id: userId } });
    this.book.count('people erased');
  }

  private async changeMark(tenant: Tenant, mark: Mark): Promise<void> {
    const id = await this.askers.findMemory(tenant, mark);
    if (id === undefined) return;
    // The same request sent again has the same effect, and the same answer where the first one was stored.
    const headers = { 'idempotency-key': `${mark.fate}-${mark.number}` };
    const answer =
      mark.fate === 'corrected'
        ? await this.caller.ask('other', tenant.client, 'patchMemory', {
            params: { id },
            body: { content: renderCorrection(mark) },
            headers,
          })
        : await this.caller.ask('other', tenant.client, 'deleteMemory', { params: { id }, headers });
    // 404, 409: the request before had its effect, and its answer was lost.
    if (answer.ok || answer.status === 404 || answer.status === 409) {
      mark.isChanged = true;
      this.book.count(`memories ${mark.fate}`);
    } else {
      this.book.violate('refused', `mark ${mark.number} (${mark.fate}): ${answer.status} ${answer.problem.code}`);
    }
  }
}
