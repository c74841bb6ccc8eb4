import type { FakeRequest } from './fake-request.js';
import type { CountedUsage } from './usage.js';

/**
 * `complete`: everything was sent. `broken`: broken as planned. `left`: the caller closed the connection. `open`: not
 * over yet (a hang).
 */
export type Ending = 'open' | 'complete' | 'broken' | 'left';

/** One request and its outcome. Times are epoch ms of the server's clock. */
export interface JournalEntry {
  readonly request: FakeRequest;
  readonly receivedAt: number;
  /** The id of the request in the response headers. */
  readonly requestId: string;
  endedAt: number | null;
  /** The behaviour in one word: its kind, or its stop reason. */
  action: string;
  status: number | null;
  ending: Ending;
  /** The part of the answer's text that was sent. */
  text: string;
  /** How many times something without meaning was sent, see `trickle` of a behaviour. */
  trickles: number;
  usage: CountedUsage | null;
  /** What a provider would bill for it; a broken answer is billed for the part that was written. */
  costNanoUsd: number;
}

export interface JournalSummary {
  /** Requests by endpoint. */
  calls: Record<string, number>;
  /** Generation requests by status; `none` when no answer began. */
  statuses: Record<string, number>;
  /** Generation requests by action. */
  action: Record<string, number>;
  /** Generation requests with a complete answer. */
  answered: number;
  /** Generation requests by mark. */
  callsByMark: Record<string, number>;
  inputTokens: number;
  outputTokens: number;
  costNanoUsd: number;
  /** Maximum number of concurrent requests. */
  peakInFlight: number;
}

/** What a generation request cost, without its texts. */
export interface Charge {
  readonly api: FakeRequest['api'];
  readonly marks: readonly string[];
  /** Epoch ms. */
  readonly receivedAt: number;
  /** Epoch ms; null while it is open. */
  readonly endedAt: number | null;
  readonly costNanoUsd: number;
}

/** Every request, in order of arrival; counts are exact. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  private readonly waiting: { isMet: (entries: readonly JournalEntry[]) => boolean; resolve: () => void }[] = [];
  private inFlight = 0;
  private peakInFlight = 0;

  /** The generation requests. */
  get generated(): JournalEntry[] {
    return this.entries.filter(({ request }) => request.endpoint === 'generate');
  }

  open(entry: JournalEntry): void {
    this.entries.push(entry);
    this.inFlight += 1;
    this.peakInFlight = Math.max(this.peakInFlight, this.inFlight);
    this.wake();
  }

  close(entry: JournalEntry, ending: Ending, now: number): void {
    if (entry.endedAt !== null) return;
    entry.ending = ending;
    entry.endedAt = now;
    this.inFlight -= 1;
    this.wake();
  }

  noteTrickle(entry: JournalEntry): void {
    entry.trickles += 1;
    this.wake();
  }

  /** Resolves once the entries meet the condition, which is checked whenever a request begins, trickles or ends. */
  waitFor(isMet: (entries: readonly JournalEntry[]) => boolean): Promise<void> {
    if (isMet(this.entries)) return Promise.resolve();
    return new Promise((resolve) => void this.waiting.push({ isMet, resolve }));
  }

  listCharges(): Charge[] {
    return this.generated.map(({ request: { api, marks }, receivedAt, endedAt, costNanoUsd }) => ({
      api,
      marks,
      receivedAt,
      endedAt,
      costNanoUsd,
    }));
  }

  clear(): void {
    this.entries.length = 0;
    this.peakInFlight = this.inFlight;
  }

  summarize(): JournalSummary {
    const { generated } = this;
    return {
      calls: countBy(this.entries, ({ request }) => [request.endpoint]),
      statuses: countBy(generated, ({ status }) => [String(status ?? 'none')]),
      action: countBy(generated, ({ action }) => [action]),
      answered: generated.filter(isAnswered).length,
      callsByMark: countBy(generated, ({ request }) => request.marks),
      inputTokens: sum(this.entries, ({ usage }) => usage?.inputTokens ?? 0),
      outputTokens: sum(this.entries, ({ usage }) => usage?.outputTokens ?? 0),
      costNanoUsd: sum(this.entries, ({ costNanoUsd }) => costNanoUsd),
      peakInFlight: this.peakInFlight,
    };
  }

  private wake(): void {
    const met = this.waiting.filter(({ isMet }) => isMet(this.entries));
    for (const waiter of met) {
      this.waiting.splice(this.waiting.indexOf(waiter), 1);
      waiter.resolve();
    }
  }
}

function isAnswered({ action, ending, status }: JournalEntry): boolean {
  return ending === 'complete' && status === 200 && action !== 'garbage';
}

function countBy(entries: readonly JournalEntry[], name: (entry: JournalEntry) => readonly string[]) {
  const counts: Record<string, number> = {};
  for (const key of entries.flatMap(name)) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

function sum(entries: readonly JournalEntry[], value: (entry: JournalEntry) => number): number {
  return entries.reduce((total, entry) => total + value(entry), 0);
}
