import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { createLogger, createMetrics } from '@annals/observability';
import { createTenant, Database } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { type MaintenanceLimits, MaintenanceRunner } from './maintenance-runner.js';

/** Runners on one database, each as in a separate process of the fleet. The clock advances only by `advance`. */
export class MaintenanceFixture {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1));
  readonly ids = new UuidV7Generator(this.clock, new SeededRng(1));
  readonly metrics = createMetrics({ service: 'spec', version: '0', processMetrics: false });
  readonly log: string[] = [];
  readonly logger = createLogger({
    service: 'spec',
    level: 'info',
    clock: this.clock,
    destination: { write: (line: string) => void this.log.push(line) },
  });
  private readonly runners: MaintenanceRunner[] = [];

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly database: Database,
  ) {}

  static async open(): Promise<MaintenanceFixture> {
    const testDatabase = await createTestDatabase();
    return new MaintenanceFixture(testDatabase, await Database.open({ ...testDatabase.app, poolSize: 8 }));
  }

  addRunner(limits: Partial<MaintenanceLimits> = {}): MaintenanceRunner {
    const { database, clock, ids, logger, metrics } = this;
    const runner = new MaintenanceRunner({ database, clock, ids, logger, metrics, limits });
    this.runners.push(runner);
    return runner;
  }

  async addTenant(name: string): Promise<string> {
    const id = this.ids.next();
    await createTenant(this.database, { id, name, now: this.clock.now() });
    return id;
  }

  /** Rows of a tenant. */
  query<R extends object>(tenantId: string, sql: string, parameters: readonly unknown[] = []): Promise<R[]> {
    return this.database.readTenant(tenantId, (tx) => tx.query<R>(sql, parameters));
  }

  /** The value of a counter or gauge, summed over its labels. */
  async count(metric: string, label = ''): Promise<number> {
    const { body } = await this.metrics.render();
    const lines = body.split('\n').filter((line) => line.startsWith(metric) && line.includes(label));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  async close(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.stop()));
    await this.database.close();
    await this.testDatabase.drop();
  }
}
