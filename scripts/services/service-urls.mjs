import { existsSync, readFileSync } from 'node:fs';
import { inServices } from './paths.mjs';

const urlsFile = inServices('services.json');

/**
 * URLs of the running services: DATABASE_URL and REDIS_URL when both are set, else those that `npm run services` wrote.
 * @returns {{ databaseUrl: string, redisUrl: string }} databaseUrl is a superuser's
 * @throws when no services were ever started
 */
export function serviceUrls() {
  const given = givenUrls();
  if (given) return given;
  if (!existsSync(urlsFile)) throw new Error('No services are running: start them with `npm run services`.');
  const { databaseUrl, redisUrl } = JSON.parse(readFileSync(urlsFile, 'utf8'));
  return { databaseUrl, redisUrl };
}

/** The URLs in DATABASE_URL and REDIS_URL, if both are set. */
export function givenUrls() {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  return databaseUrl && redisUrl ? { databaseUrl, redisUrl } : undefined;
}
