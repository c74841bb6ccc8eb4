import { z } from 'zod';
import { serveControlChannel } from './control-channel.js';
import type { DatabaseSource, MigrateTestDatabase, TestProfile } from './test-database.js';
import { EmbeddedDatabases } from './embedded-databases.js';
import { ServiceDatabases, type ServiceUrls } from './service-databases.js';

/** A request of a process that runs specs. `holder` names the process, `file` its spec file. */
const databaseRequestSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('create'), holder: z.string(), file: z.string() }),
  z.object({ action: z.literal('drop'), name: z.string() }),
  z.object({ action: z.literal('dataFolder') }),
]);
export type DatabaseRequest = z.infer<typeof databaseRequestSchema>;

export interface TestDatabasesOptions {
  readonly profile: TestProfile;
  /** Required with profile `services`. */
  readonly urls?: ServiceUrls;
  /** Default: `migrate` of `@annals/storage`. */
  readonly migrate?: MigrateTestDatabase;
}

export interface TestDatabases {
  /** Port to which {@link createTestDatabase} sends its requests. */
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves databases to the processes of one test run. Costs nothing until the first is requested. A database that a spec
 * file did not drop is dropped when the next file of the same process requests one.
 */
export async function startTestDatabases(options: TestDatabasesOptions): Promise<TestDatabases> {
  const { migrate = migrateWithStorage } = options;
  const embedded = new EmbeddedDatabases(migrate);
  const source = options.profile === 'embedded' ? embedded : createServiceDatabases(options, migrate);
  const inUse = new Map<string, { holder: string; file: string }>();
  const drop = async (name: string): Promise<void> => {
    inUse.delete(name);
    await source.drop(name);
  };
  const channel = await serveControlChannel(async (raw) => {
    const request = databaseRequestSchema.parse(raw);
    if (request.action === 'drop') return drop(request.name);
    if (request.action === 'dataFolder') return embedded.dataFolder();
    const { holder, file } = request;
    for (const [name, by] of inUse) if (by.holder === holder && by.file !== file) await drop(name);
    const address = await source.create();
    inUse.set(address.name, { holder, file });
    return address;
  });
  return {
    port: channel.port,
    stop: async () => {
      await channel.close();
      await Promise.all([...new Set([source, embedded])].map((one) => one.stop()));
    },
  };
}

function createServiceDatabases({ urls }: TestDatabasesOptions, migrate: MigrateTestDatabase): DatabaseSource {
  if (urls === undefined) throw new Error('The profile "services" needs the URLs of PostgreSQL and Redis.');
  return new ServiceDatabases(urls, migrate);
}

/** Loaded on demand: most test runs request no database. */
const migrateWithStorage: MigrateTestDatabase = async (admin, options) => {
  const { migrate } = await import('@annals/storage');
  return migrate(admin, options);
};
