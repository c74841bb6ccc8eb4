import { existsSync, readFileSync } from 'node:fs';
import { TEST_DATABASES_PORT } from '../database/create-test-database.js';
import type { ServiceUrls } from '../database/service-databases.js';
import { startTestDatabases } from '../database/start-test-databases.js';

const SERVICES_FILE = new URL('../../../../.services/services.json', import.meta.url);

/** Starts the server of {@link createTestDatabase}; workers inherit its port by a variable. Returns how to stop it. */
export default async function setUp(): Promise<() => Promise<void>> {
  const profile = process.env['ANNALS_TEST_PROFILE'] === 'services' ? 'services' : 'embedded';
  const urls = profile === 'services' ? { urls: readServiceUrls() } : {};
  const databases = await startTestDatabases({ profile, ...urls });
  process.env[TEST_DATABASES_PORT] = String(databases.port);
  return () => databases.stop();
}

function readServiceUrls(): ServiceUrls {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  if (databaseUrl && redisUrl) return { databaseUrl, redisUrl };
  if (existsSync(SERVICES_FILE)) return JSON.parse(readFileSync(SERVICES_FILE, 'utf8')) as ServiceUrls;
  throw new Error('Start PostgreSQL and Redis with "npm run services", or set DATABASE_URL and REDIS_URL.');
}
