import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { createTestDatabase, createTestPool, type TestDatabase } from '@annals/testing';
import type pg from 'pg';
import type { PgConnection } from '../database/connection.js';
import { Database } from '../database/database.js';
import type { Row, Tx } from '../database/transaction.js';
import { createTenant } from '../tenants/tenants.js';

/** A fresh database as services see it and, beside it, as its superuser sees it. Time stands still until told. */
export class StorageBench {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5, 9));
  readonly ids = new UuidV7Generator(this.clock, new SeededRng(1));
  private readonly opened: Database[] = [];
  private tenants = 0;

  private constructor(
    readonly place: TestDatabase,
    private readonly superuser: pg.Pool,
    readonly database: Database,
  ) {}

  static async open(connection: Partial<PgConnection> = {}): Promise<StorageBench> {
    const place = await createTestDatabase();
    const superuser = createTestPool({
      connectionString: place.admin.url,
      options: '-c search_path=annals,public',
      max: 2,
    });
    const database = await Database.open({ ...place.app, poolSize: 8, ...connection });
    return new StorageBench(place, superuser, database);
  }

  /** One more pool of services on the same database. */
  async openAnother(connection: Partial<PgConnection> = {}): Promise<Database> {
    const database = await Database.open({ ...this.place.app, ...connection });
    this.opened.push(database);
    return database;
  }

  async addTenant(): Promise<string> {
    const id = this.ids.next();
    await createTenant(this.database, { id, name: `tenant ${++this.tenants}`, now: this.clock.now() });
    return id;
  }

  inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.inTenant(tenantId, work);
  }

  /** Rows as the superuser sees them: of every tenant. */
  async look<R extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> {
    return (await this.superuser.query(sql, parameters as unknown[])).rows as R[];
  }

  async close(): Promise<void> {
    await Promise.all([this.database, ...this.opened].map((database) => database.close()));
    await this.superuser.end();
    await this.place.drop();
  }
}
