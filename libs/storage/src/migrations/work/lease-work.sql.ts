import { FEW_OF_MANY_ROWS, type DefinerFunction } from '../sql/definer-functions.sql.js';
import { waits } from './tables.sql.js';

/** SQL on the row of this name. */
type Condition = (row: string) => string;

/** The first `places` due rows of a lane by rank: of those with a head start and those without, merged. */
function headsOf(inLine: Condition, lane: string, places: string): string {
  const headsWith = (headStart: 0 | 1) => `
    (SELECT c.tenant_id, c.id, c.rank_at, c.leased_until, ${headStart} AS head_start FROM annals.work c
      WHERE c.kind = ${lane}.kind AND c.tenant_id = ${lane}.tenant_id AND ${inLine('c')}
        AND (CASE WHEN c.rank_at < c.available_at THEN 1 ELSE 0 END) = ${headStart} AND c.available_at <= at
      ORDER BY c.available_at LIMIT greatest(${places}, 0))`;
  return `
    SELECT h.tenant_id, h.id, h.rank_at, h.leased_until, h.head_start FROM (${headsWith(1)} UNION ALL ${headsWith(0)}) h
     ORDER BY h.rank_at, h.id LIMIT greatest(${places}, 0)`;
}

/** The first lane after a position, and from there one lane after another: `more` bounds where it ends. */
function lanesAfter(inLine: Condition, name: string, position: string, more = ''): string {
  const next = (after: string) => `
            SELECT w.kind, w.tenant_id FROM annals.work w
             WHERE ${inLine('w')} AND (w.kind, w.tenant_id) > (${after})${more}
             ORDER BY w.kind, w.tenant_id LIMIT 1`;
  return `${name} AS (
          (${next(position)})
          UNION ALL
          SELECT next.kind, next.tenant_id FROM ${name}, LATERAL (${next(`${name}.kind, ${name}.tenant_id`)}) next
        )`;
}

/**
 * Skips from tenant to tenant over work_waiting, beginning after the lane that was served last, and stops once enough
 * tenants with due rows and room are found: its cost follows the rows it hands out, neither the length of the queue nor
 * the number of tenants who wait. What another relay has leased takes its tenant's places like what is released.
 * `lane`: how many of its tenant and kind are ahead of a row, with the queue or before it in line; of those without a
 * head start none is ahead of one that has it. What has no head start is bulk. `inLine`: the rows of work_waiting; `first`:
 * a statement to run before.
 */
export const leaseWorkFunction = (inLine: Condition, first = ''): DefinerFunction => ({
  signature: `lease_work(at timestamptz, max_rows integer, per_tenant integer, lease_ms integer, after_kind text,
                           after_tenant uuid)`,
  body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, id uuid, kind text, subject_id uuid, generation integer, trace text, lane integer,
                     bulk boolean)
      LANGUAGE sql VOLATILE AS $$${first}
        WITH RECURSIVE ${lanesAfter(inLine, 'later', 'after_kind, after_tenant')},
        ${lanesAfter(inLine, 'earlier', `'', '00000000-0000-0000-0000-000000000000'`, ' AND (w.kind, w.tenant_id) <= (after_kind, after_tenant)')},
        room AS (
          SELECT l.kind, l.tenant_id, free.places, free.starters
            FROM (SELECT kind, tenant_id FROM later UNION ALL SELECT kind, tenant_id FROM earlier) l,
            LATERAL (
              SELECT per_tenant - count(*) AS places, count(*) FILTER (WHERE busy.has_start) AS starters FROM (
                SELECT f.rank_at < f.available_at AS has_start FROM annals.work f
                 WHERE f.kind = l.kind AND f.tenant_id = l.tenant_id AND f.released_at IS NOT NULL
                 LIMIT per_tenant) busy) free
           WHERE EXISTS (SELECT FROM (${headsOf(inLine, 'l', 'free.places')}) o
                          WHERE o.leased_until IS NULL OR o.leased_until <= at)
           LIMIT max_rows
        ), due AS (
          SELECT w.tenant_id, w.id, w.turn, w.rank_at, w.head_start,
                 (CASE w.head_start WHEN 1 THEN r.starters + w.start_place ELSE per_tenant - r.places + w.place END
                  - 1)::integer AS lane
            FROM room r, LATERAL (
              SELECT o.*, row_number() OVER (ORDER BY o.place) AS turn
                FROM (SELECT h.*, row_number() OVER (ORDER BY h.rank_at, h.id) AS place,
                             row_number() OVER (PARTITION BY h.head_start ORDER BY h.rank_at, h.id) AS start_place
                        FROM (${headsOf(inLine, 'r', 'r.places')}) h) o
               WHERE o.leased_until IS NULL OR o.leased_until <= at) w
          ORDER BY w.turn, w.rank_at LIMIT max_rows
        ), locked AS (
          SELECT o.tenant_id, o.id FROM annals.work o JOIN due d ON d.tenant_id = o.tenant_id AND d.id = o.id
           WHERE ${waits('o')} AND (o.leased_until IS NULL OR o.leased_until <= at)
           FOR UPDATE OF o SKIP LOCKED
        ), taken AS (
          UPDATE annals.work o SET leased_until = at + lease_ms * interval '1 millisecond'
            FROM locked l WHERE o.tenant_id = l.tenant_id AND o.id = l.id
          RETURNING o.tenant_id, o.id, o.kind, o.subject_id, o.generation, o.trace
        )
        SELECT t.*, d.lane, d.head_start = 0
          FROM taken t JOIN due d ON d.tenant_id = t.tenant_id AND d.id = t.id
         ORDER BY d.turn, d.rank_at
      $$ ${FEW_OF_MANY_ROWS}`,
});
