import type { NotTaken, OnNotTaken } from '../formats/not-taken.js';

/** Counts of one kind of record. */
export interface Counts {
  read: number;
  taken: number;
  already_there: number;
  refused: number;
}

export const COUNTED = ['user_context', 'conversations', 'messages', 'memories'] as const;
export type Counted = (typeof COUNTED)[number];

/** What an import has done so far; it can be written down and gone on with. */
export interface TallyState {
  readonly counts: Readonly<Record<Counted, Counts>>;
  readonly extracted: { inserted: number; updated: number; batches: number; deferred: number; failed: number };
  readonly reasons: readonly { readonly reason: string; readonly count: number; readonly isRefused: boolean }[];
}

const none = (): Counts => ({ read: 0, taken: 0, already_there: 0, refused: 0 });

export class Tally {
  readonly counts: Record<Counted, Counts> = {
    user_context: none(),
    conversations: none(),
    messages: none(),
    memories: none(),
  };
  readonly extracted = { inserted: 0, updated: 0, batches: 0, deferred: 0, failed: 0 };
  private readonly reasons = new Map<string, { count: number; isRefused: boolean }>();

  /** `onNotTaken` gets each thing, of which only the number is kept. */
  constructor(
    state: TallyState | null,
    private readonly onNotTaken: OnNotTaken = () => undefined,
  ) {
    if (!state) return;
    for (const kind of COUNTED) Object.assign(this.counts[kind], state.counts[kind]);
    Object.assign(this.extracted, state.extracted);
    for (const { reason, count, isRefused } of state.reasons) this.reasons.set(reason, { count, isRefused });
  }

  addNotTaken(what: NotTaken): void {
    const known = this.reasons.get(what.reason);
    this.reasons.set(what.reason, { count: (known?.count ?? 0) + 1, isRefused: what.isRefused });
    this.onNotTaken(what);
  }

  /** Whether something was refused or failed. */
  get hasFailures(): boolean {
    return this.extracted.failed > 0 || [...this.reasons.values()].some(({ isRefused }) => isRefused);
  }

  get state(): TallyState {
    const reasons = [...this.reasons].map(([reason, rest]) => ({ reason, ...rest }));
    return { counts: this.counts, extracted: this.extracted, reasons };
  }
}
