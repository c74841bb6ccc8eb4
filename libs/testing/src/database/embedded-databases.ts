import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedServer } from './embedded-server.js';
import {
  APP_PASSWORD,
  APP_ROLE,
  type DatabaseSource,
  type MigrateTestDatabase,
  type TestDatabaseAddress,
} from './test-database.js';

interface ReadyServer {
  readonly server: EmbeddedServer;
  readonly url: string;
}

/**
 * Embedded databases for a test run: as many servers as are in use concurrently. A dropped database is replaced by a
 * fresh copy of a migrated snapshot in the background.
 */
export class EmbeddedDatabases implements DatabaseSource {
  private readonly ready: Promise<ReadyServer>[] = [];
  private readonly inUse = new Map<string, EmbeddedServer>();
  private readonly servers = new Set<EmbeddedServer>();
  private snapshot: Promise<SharedArrayBuffer> | undefined;
  private folder: Promise<string> | undefined;
  private created = 0;

  constructor(private readonly migrate: MigrateTestDatabase) {}

  async create(): Promise<TestDatabaseAddress> {
    this.snapshot ??= this.makeSnapshot();
    const snapshot = await this.snapshot;
    const { server, url } = await (this.ready.shift() ?? this.start(snapshot));
    const name = `annals_test_${process.pid}_${++this.created}`;
    this.inUse.set(name, server);
    const admin = { url, prepared: false };
    return {
      profile: 'embedded',
      name,
      admin,
      app: { ...admin, role: APP_ROLE },
      queue: { kind: 'postgres', pool: { connectionString: url } },
    };
  }

  async drop(name: string): Promise<void> {
    const server = this.inUse.get(name);
    if (server === undefined) return;
    this.inUse.delete(name);
    const renewed = server.open().then((url) => ({ server, url }));
    // The next `create` gets the error.
    renewed.catch(() => undefined);
    this.ready.push(renewed);
  }

  /** A migrated data folder of the embedded database, to be copied. */
  dataFolder(): Promise<string> {
    return (this.folder ??= this.makeFolder());
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.ready);
    await Promise.all([...this.servers].map((server) => server.stop()));
    const folder = await this.folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  private async makeFolder(): Promise<string> {
    this.snapshot ??= this.makeSnapshot();
    const server = new EmbeddedServer(await this.snapshot);
    const folder = await mkdtemp(path.join(tmpdir(), 'annals-template-'));
    await server.writeFolder(folder);
    await server.stop();
    return folder;
  }

  /** The server that creates the snapshot is stopped: after that it is twice as large as one with a copy. */
  private async makeSnapshot(): Promise<SharedArrayBuffer> {
    const server = new EmbeddedServer();
    try {
      await this.migrate({ url: await server.open(), prepared: false }, { appPassword: APP_PASSWORD });
      return await server.dump();
    } finally {
      await server.stop();
    }
  }

  private async start(snapshot: SharedArrayBuffer): Promise<ReadyServer> {
    const server = new EmbeddedServer(snapshot);
    this.servers.add(server);
    return { server, url: await server.open() };
  }
}
