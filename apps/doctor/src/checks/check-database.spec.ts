import { explainDatabaseFailure, evaluateDatabase, evaluateServerSettings } from './check-database.js';

const GOOD = {
  serverVersion: '17.11',
  isReadOnly: false,
  isPooled: false,
  hasSearchPath: true,
  maxConnections: 97,
  clockMs: 1_000_000,
  vectorVersion: '0.8.0',
  user: 'annals_app',
  isServiceUser: true,
  bypassesRowSecurity: false,
  missing: [],
  unprotected: [],
};

function evaluate(change: object): Record<string, string> {
  return Object.fromEntries(evaluateDatabase({ ...GOOD, ...change }).map(({ check, verdict }) => [check, verdict]));
}

describe('evaluateDatabase', () => {
  const fine = { database: 'ok', 'database.role': 'ok', 'database.schema': 'ok' };
  it.each([
    [{}, fine],
    [{ vectorVersion: null }, { ...fine, database: 'fail' }],
    [{ isServiceUser: false }, { ...fine, 'database.role': 'fail' }],
    [
      { user: 'postgres', bypassesRowSecurity: true },
      { ...fine, 'database.role': 'warn' },
    ],
    [{ missing: ['reservations'] }, { ...fine, 'database.schema': 'fail' }],
    [{ unprotected: ['memories'] }, { ...fine, 'database.isolation': 'fail' }],
  ])('gives each check its verdict for %j', (change, expected) => {
    expect(evaluate(change)).toEqual(expected);
  });

  it('names three missing parts of the schema and counts the others', () => {
    const found = evaluateDatabase({ ...GOOD, missing: ['a', 'b', 'c', 'd', 'e'] })[2]!.found;
    expect(found).toContain('a, b, c and 2 more');
  });
});

describe('evaluateServerSettings', () => {
  const fine = { 'database.writes': 'ok', 'database.connections': 'ok', 'database.clock': 'ok' };
  it.each([
    [{}, fine],
    [{ serverVersion: '18.0' }, fine],
    [{ serverVersion: '16.9' }, { ...fine, 'database.versions': 'warn' }],
    [{ vectorVersion: '0.6.2' }, { ...fine, 'database.versions': 'warn' }],
    [{ isReadOnly: true }, { ...fine, 'database.writes': 'fail' }],
    [{ maxConnections: 79 }, { ...fine, 'database.connections': 'warn' }],
    [{ clockMs: 1_060_000 }, { ...fine, 'database.clock': 'warn' }],
    [{ clockMs: 940_000 }, { ...fine, 'database.clock': 'warn' }],
    [{ isPooled: true }, { ...fine, 'database.pooler': 'warn' }],
    [
      { isPooled: true, hasSearchPath: false },
      { ...fine, 'database.pooler': 'fail' },
    ],
  ])('gives each check its verdict for %j', (change, expected) => {
    const findings = evaluateServerSettings({ ...GOOD, ...change }, { poolSize: 16, prepared: true, now: 1_000_000 });
    expect(Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))).toEqual(expected);
    for (const { verdict, advice } of findings) expect(advice === undefined).toBe(verdict === 'ok');
  });
});

describe('evaluateServerSettings behind a pooler', () => {
  it('passes when no statements are prepared', () => {
    const findings = evaluateServerSettings(
      { ...GOOD, isPooled: true },
      { poolSize: 16, prepared: false, now: 1_000_000 },
    );
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database.pooler', verdict: 'ok' }));
  });
});

describe('explainDatabaseFailure', () => {
  it.each([
    [{ code: '28P01', message: 'password of bob' }, 'password in ANNALS_DATABASE_URL'],
    [{ code: '3D000' }, 'name at the end of ANNALS_DATABASE_URL'],
    [{ code: 'ECONNREFUSED' }, 'host and port'],
    [null, 'host and port'],
  ])('gives advice for %j without the message of the error', (error, advice) => {
    const finding = explainDatabaseFailure(error);
    expect(finding.verdict).toBe('fail');
    expect(finding.advice).toContain(advice);
    expect(JSON.stringify(finding)).not.toContain('bob');
  });
});
