import type { Rng } from '@annals/domain';
import type { WebhookEvent } from '@annals/sdk';
import {
  acknowledge,
  type AdminQuery,
  answerWith,
  breakOff,
  hang,
  type ReceivedRequest,
  waitUntil,
  WEBHOOK_VARIABLES,
  WebhookReceiver,
} from '@annals/testing';
import { Webhook } from 'standardwebhooks';
import type { Book } from './book.ts';
import type { Caller } from './caller.ts';
import { pick } from './pick.ts';
import type { Tenant } from './population.ts';

/** What the services need to reach {@link Listeners}. */
export const LISTENER_VARIABLES = {
  ...WEBHOOK_VARIABLES,
  // A receiver that hangs holds its user no longer than a fault lasts.
  ANNALS_WEBHOOKS_TIMEOUT_MS: '2000',
};

/** One request in so many is answered badly. */
const BADLY_ONE_IN = 30;
const BAD_ANSWERS = [answerWith(500), answerWith(302, { location: 'http://127.0.0.1/' }), breakOff, hang];
/** As long as a run's backlog may take: the limit only ends what hangs. */
const WAIT = { timeoutMs: 15 * 60_000, intervalMs: 1_000 };

/** What one webhook has told of one user. */
interface Feed {
  /** Ids of events, in the order in which they came first. */
  readonly ids: string[];
  last: { readonly sequence: number; readonly type: string };
}

interface Options {
  readonly tenants: readonly Tenant[];
  readonly book: Book;
  readonly caller: Caller;
  readonly rng: Rng;
}

/** An application of each tenant that is told of all changes, and answers badly now and then. */
export class Listeners {
  private readonly receiver: WebhookReceiver;
  private readonly options: Options;
  private readonly feeds = new Map<string, Feed>();
  private judges: readonly Webhook[] = [];
  private isWell = false;

  private constructor(receiver: WebhookReceiver, options: Options) {
    this.receiver = receiver;
    this.options = options;
  }

  /** Makes a webhook of each tenant, before anything happens. */
  static async start(options: Options): Promise<Listeners> {
    const listeners = new Listeners(await WebhookReceiver.start(), options);
    const { receiver } = listeners;
    receiver.answer = (response, request) => {
      listeners.examine(request);
      return listeners.chooseAnswer()(response, request);
    };
    const created = await Promise.all(options.tenants.map((tenant) => listeners.put(tenant)));
    listeners.judges = created.map(({ secret }) => new Webhook(secret!));
    return listeners;
  }

  /** Answers well from now on, and waits until every event was acknowledged. */
  async settle(query: AdminQuery): Promise<void> {
    this.isWell = true;
    const isDone = async () => {
      // Makes due what waits for a retry.
      await Promise.all(this.options.tenants.map((tenant) => this.put(tenant)));
      const [left] = await query<{ n: number }>(
        `SELECT count(*)::int AS n FROM webhook_deliveries WHERE status <> 'delivered'`,
      );
      return left!.n === 0;
    };
    await waitUntil(isDone, { describe: 'every event of a webhook was acknowledged', ...WAIT });
  }

  /** Changes that were not told, or not in the order of their commits. Nothing may be under way any more. */
  async findUntold(query: AdminQuery): Promise<string[]> {
    const { tenants, book } = this.options;
    const committed = await query<{ tenant_id: string; user_id: string; ids: string[] }>(
      `SELECT tenant_id, user_id, array_agg(id ORDER BY seq) AS ids FROM history
        WHERE event <> 'LINK' AND user_id NOT LIKE 'pseudonym:%' GROUP BY 1, 2`,
    );
    return committed.flatMap(({ tenant_id: tenantId, user_id: userId, ids }) => {
      const { index } = tenants.find(({ id }) => id === tenantId)!;
      const wanted = new Set(ids);
      const told = this.feedOf(index, userId).ids.filter((id) => wanted.has(id));
      book.count('changes told by webhooks', told.length);
      if (told.join() === ids.join()) return [];
      return [`tenant ${index}, ${userId}: ${told.length} of ${ids.length} changes were told, or in another order`];
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.receiver.close();
  }

  /** As an application does: by path, with the signature first. */
  private examine({ path, body, headers, event }: ReceivedRequest): void {
    const { book } = this.options;
    const index = Number(path.slice(1));
    const { tenant_id: tenantId, user_id: userId, sequence } = event.data as unknown as WebhookEvent['data'];
    book.count('requests of webhooks');
    try {
      this.judges[index]!.verify(body, headers);
    } catch (error) {
      book.violate('webhook', `tenant ${index}: ${String(error)}`);
    }
    const where = `tenant ${index}, ${userId}`;
    if (tenantId !== this.options.tenants[index]!.id) book.violate('webhook', `${where} is of tenant ${tenantId}`);
    const feed = this.feedOf(index, userId);
    const { last } = feed;
    // The receiver's answer was lost, or a bad one.
    if (sequence === last.sequence && event.type === last.type) return book.count('events of webhooks that came again');
    const isNext = sequence === last.sequence + 1 || (sequence === 1 && last.type === 'user.erased');
    if (!isNext) book.violate('webhook', `${where}: ${sequence} came behind ${last.sequence}`);
    feed.ids.push(headers['webhook-id']!);
    feed.last = { sequence, type: event.type };
    if (event.type === 'user.erased') book.count('erasures told by webhooks');
  }

  private feedOf(index: number, userId: string | null): Feed {
    const key = `${index} ${userId}`;
    const feed = this.feeds.get(key) ?? { ids: [], last: { sequence: 0, type: '' } };
    this.feeds.set(key, feed);
    return feed;
  }

  private chooseAnswer() {
    const { rng, book } = this.options;
    if (this.isWell || rng.nextFloat() * BADLY_ONE_IN >= 1) return acknowledge;
    book.count('requests of webhooks answered badly');
    return pick(rng, BAD_ANSWERS)!;
  }

  private put(tenant: Tenant) {
    const { origin } = new URL(this.receiver.url);
    const body = { id: 'listener', url: `${origin}/${tenant.index}` };
    return this.options.caller.must('other', tenant.client, 'putWebhook', { body });
  }
}
