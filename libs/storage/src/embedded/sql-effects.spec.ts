import { findSqlEffects } from './sql-effects.js';

describe('findSqlEffects', () => {
  it.each([
    ["SET search_path TO 'x'"],
    ['set SESSION role annals_app'],
    ['RESET ALL'],
    ['/* a */ -- b\n SET x.y = 1'],
    ['SELECT 1; RESET ROLE'],
    ["SELECT set_config('a.b', $1, false)"],
    ["SELECT pg_catalog.set_config('a.b', $1, $2)"],
    ["SELECT set_config('a', 'b', true), set_config('c', 'd', false)"],
    ["DO $x$ BEGIN PERFORM set_config('a', 'b', false); END $x$"],
  ])('reports changed settings: %s', (sql) => {
    expect(findSqlEffects(sql).changesSettings).toBe(true);
  });

  it.each([
    ['SET LOCAL ROLE annals_app'],
    ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE'],
    ["SELECT set_config('annals.tenant', $1, true)"],
    ["SELECT set_config('annals.tenant', coalesce($1, ''), true)"],
    ['UPDATE memories SET content = $1'],
    ["SELECT 'SET x = 1; RESET ALL'"],
    ['SELECT $$ SET x = 1 $$'],
    ['SELECT 1 -- ; SET x = 1'],
    ['SELECT 1 /* ; /* nested */ SET x = 1 */'],
    ["SELECT e'\\'; SET x = 1'"],
  ])('reports no changed settings: %s', (sql) => {
    expect(findSqlEffects(sql).changesSettings).toBe(false);
  });

  it('returns channels as PostgreSQL parses them', () => {
    const sql = 'LISTEN Jobs; listen "Mixed""Case"; UNLISTEN jobs; UNLISTEN *';
    expect(findSqlEffects(sql).listens).toEqual([
      { action: 'listen', channel: 'jobs' },
      { action: 'listen', channel: 'Mixed"Case' },
      { action: 'unlisten', channel: 'jobs' },
      { action: 'unlisten', channel: undefined },
    ]);
  });

  it.each([
    ['COPY t (a, b) FROM STDIN WITH (FORMAT csv)', 'COPY'],
    ['copy t from /* x */ stdin', 'COPY'],
    ['PREPARE p AS SELECT 1', 'PREPARE'],
    ['DEALLOCATE ALL', 'DEALLOCATE'],
    ['DISCARD ALL', 'DISCARD'],
    ['DECLARE c CURSOR WITH HOLD FOR SELECT 1', 'HOLD'],
    ['CREATE TEMP TABLE t (a int)', 'ON COMMIT DROP'],
    ['SELECT 1 AS a INTO TEMPORARY t', 'ON COMMIT DROP'],
  ])('rejects what would affect all clients: %s', (sql, word) => {
    expect(findSqlEffects(sql).refusal).toContain(word);
  });

  it.each([
    ['COPY t TO STDOUT'],
    ["SELECT 'COPY t FROM STDIN'"],
    ['CREATE TEMP TABLE t (a int) ON COMMIT DROP'],
    ['DECLARE c CURSOR FOR SELECT 1'],
    ['SELECT temp FROM weather'],
    ['PREPARE TRANSACTION $1'],
  ])('accepts: %s', (sql) => {
    expect(findSqlEffects(sql).refusal).toBeUndefined();
  });
});
