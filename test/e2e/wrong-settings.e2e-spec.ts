import { AnnalsProcess, type Variables } from '@annals/testing';

const EXIT_CONFIG = 78;
/** The stores are not reached before the settings are read. */
const STORES = {
  ANNALS_DATABASE_URL: 'postgres://annals_app:pw@127.0.0.1:1/annals',
  ANNALS_REDIS_URL: 'redis://127.0.0.1:1',
  ANNALS_SECRET_KEY: 'k'.repeat(32),
};
const NOWHERE = '/nowhere/at-all';

/** What each app reads in its own stage of the start: variables, files, models. */
const CASES: readonly [Parameters<typeof AnnalsProcess.prepare>[0], string, Variables][] = [
  ['gateway', 'ANNALS_BODY_LIMIT_BYTES', { ANNALS_BODY_LIMIT_BYTES: NOWHERE }],
  ['gateway', 'ANNALS_CATEGORIES_FILE', { ANNALS_CATEGORIES_FILE: NOWHERE }],
  ['gateway', 'ANNALS_DATABASE_URL', { ANNALS_DATABASE_URL: 'postgres://one,two/annals' }],
  ['extraction', 'MEMORY_LLM_PRICING_CATALOG', { MEMORY_LLM_PRICING_CATALOG: NOWHERE }],
  ['persistence', 'MEMORY_LLM_CLAUDE_API_KEY', { MEMORY_LLM_PRIMARY: 'claude' }],
  ['tom-insight', 'ANNALS_LEASE_MS', { ANNALS_LEASE_MS: NOWHERE }],
  ['consolidation-worker', 'MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS', { MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '0' }],
  ['standalone', 'ANNALS_DELETIONS_FILE', { ANNALS_DELETIONS_FILE: `${NOWHERE}.ndjson` }],
];

describe('a process with a wrong setting', () => {
  it.each(CASES)('%s does not start, and says so of %s in one sentence', async (app, variable, settings) => {
    const annals = await AnnalsProcess.prepare(app, { ...(app === 'standalone' ? {} : STORES), ...settings });
    annals.launch();
    expect(await annals.waitForExit()).toBe(EXIT_CONFIG);
    expect(annals.output.text).toMatch(new RegExp(`^${variable} (?:must|is) [^\\n]+\\.\\n$`));
    expect(annals.output.text).not.toContain(NOWHERE);
  });
});
