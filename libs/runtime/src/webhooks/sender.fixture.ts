import { randomBytes } from 'node:crypto';
import { type PutWebhook, putWebhookSchema } from '@annals/contracts';
import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { createLogger, createMetrics } from '@annals/observability';
import { createTenant, Database, putWebhook, writeMemories } from '@annals/storage';
import { createTestDatabase, newMemory, type TestDatabase } from '@annals/testing';
import { deriveSecrets } from '../secrets/derive-secrets.js';
import { AddressRules } from './address-rules.js';
import { createHostResolver, type ResolveHost } from './send-webhook.js';
import { WebhookSender, type WebhookSenderOptions } from './webhook-sender.js';

const SECRETS = deriveSecrets({ secretKey: 'a-secret-key-for-tests-of-webhooks' });

type Settings = Partial<Omit<WebhookSenderOptions, 'limits'>> & {
  readonly limits?: Partial<WebhookSenderOptions['limits']>;
};

/** Senders on one database, each as in a process of its own. The clock advances only on request. */
export class SenderFixture {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5, 9));
  readonly ids = new UuidV7Generator(this.clock, new SeededRng(1));
  readonly metrics = createMetrics({ service: 'spec', version: '0', processMetrics: false });
  readonly log: string[] = [];
  private readonly logger = createLogger({
    service: 'spec',
    level: 'debug',
    clock: this.clock,
    destination: { write: (line: string) => void this.log.push(line) },
  });
  private readonly senders: WebhookSender[] = [];

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly database: Database,
  ) {}

  static async open(): Promise<SenderFixture> {
    const testDatabase = await createTestDatabase();
    return new SenderFixture(testDatabase, await Database.open({ ...testDatabase.app, poolSize: 8 }));
  }

  async addTenant(): Promise<string> {
    const id = this.ids.next();
    await createTenant(this.database, { id, name: id, now: this.clock.now() });
    return id;
  }

  /** An endpoint, whose key is returned. */
  async addWebhook(tenantId: string, fields: Partial<PutWebhook> & Pick<PutWebhook, 'url'>): Promise<string> {
    const created = { webhookKey: this.ids.next(), salt: this.ids.next() };
    const command = putWebhookSchema.parse({ id: 'hook', ...fields });
    const now = this.clock.now();
    await this.database.inTenant(tenantId, (tx) => putWebhook(tx, { ...command, created, limit: 100, now }));
    return created.webhookKey;
  }

  addSender({ limits, ...options }: Settings = {}): WebhookSender {
    const { database, clock, ids, logger, metrics } = this;
    const sender = new WebhookSender({
      database,
      clock,
      ids,
      logger,
      metrics,
      rng: new SeededRng(1),
      secrets: SECRETS,
      rules: LOCAL_RULES,
      resolve: createHostResolver(),
      timeoutMs: 10_000,
      disableAfterMs: 5 * DAY_MS,
      limits: { concurrency: 128, perWebhook: 8, pollMs: 20, ...limits },
      ...options,
    });
    this.senders.push(sender);
    return sender;
  }

  /** Writes one memory for each text, each in a transaction of its own. Returns their ids. */
  async remember(tenantId: string, userId: string, ...contents: readonly string[]): Promise<string[]> {
    const dependencies = { clock: this.clock, ids: this.ids, randomBytes };
    const stored: string[] = [];
    for (const content of contents) {
      const memory = newMemory(content, this.clock.now(), { category: 'preferences' });
      const changes = [{ kind: 'observe', memory }] as const;
      const written = await this.database.inTenant(tenantId, (tx) =>
        writeMemories(tx, { userId, actor: 'spec', node: 'api', changes }, dependencies),
      );
      if (written.outcome === 'applied') stored.push(...written.results.map(({ memoryId }) => memoryId));
    }
    return stored;
  }

  query<R extends object = Record<string, unknown>>(
    tenantId: string,
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<R[]> {
    return this.database.readTenant(tenantId, (tx) => tx.query<R>(sql, parameters));
  }

  /** Ids of the links of a user's history, in the order of their commits: what is to be told. */
  async committed(tenantId: string, userId: string): Promise<string[]> {
    const rows = await this.query<{ id: string }>(tenantId, 'SELECT id FROM history WHERE user_id = $1 ORDER BY seq', [
      userId,
    ]);
    return rows.map(({ id }) => id);
  }

  /** How many deliveries of a tenant there are of each status. */
  async countByStatus(tenantId: string): Promise<Readonly<Record<string, number>>> {
    const rows = await this.query<{ status: string; count: number }>(
      tenantId,
      'SELECT status, count(*)::integer AS count FROM webhook_deliveries GROUP BY status ORDER BY status',
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** The value of a counter or gauge, summed over its labels. */
  async count(metric: string, label = ''): Promise<number> {
    const { body } = await this.metrics.render();
    const lines = body.split('\n').filter((line) => line.startsWith(metric) && line.includes(label));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  async close(): Promise<void> {
    await Promise.all(this.senders.map((sender) => sender.stop()));
    await this.database.close();
    await this.testDatabase.drop();
  }
}

export const DAY_MS = 24 * 60 * 60 * 1_000;

/** Receivers of specs are on this machine, without TLS. */
export const LOCAL_RULES = new AddressRules({ allowedNetworks: ['127.0.0.1/32'], allowsHttp: true });

/** A resolver that answers with the next of these lists each time, and with the last one from then on. */
export function resolveInTurn(...answers: readonly (readonly string[])[]): ResolveHost & { readonly asked: string[] } {
  const asked: string[] = [];
  const resolve = (host: string) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(host);
    return Promise.resolve(answer);
  };
  return Object.assign(resolve, { asked });
}
