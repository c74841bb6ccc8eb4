import type { MindKind } from '@annals/contracts';
import type { MindWatermark } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MindWatermarkEntity } from '../entities/mind.entity.js';

/** What the last runs of a kind about a subject left; null when there was none. */
export async function readMindWatermark(tx: Tx, kind: MindKind, subjectId: string): Promise<MindWatermark | null> {
  const [row] = await tx.query<Pick<MindWatermarkEntity, 'watermark' | 'failures'>>(
    'SELECT watermark, failures FROM mind_watermarks WHERE subject_id = $1 AND kind = $2',
    [subjectId, kind],
  );
  return row ?? null;
}

/**
 * Stores what a run has seen. Only in the transaction that ends or defers its work, whose claim keeps it from outliving
 * its subject: minds use `MindRunner` of the runtime.
 */
export async function storeMindWatermark(
  tx: Tx,
  {
    kind,
    subjectId,
    watermark,
    failures,
    now,
  }: MindWatermark & {
    readonly kind: MindKind;
    readonly subjectId: string;
    readonly now: number;
  },
): Promise<void> {
  await tx.execute(
    `INSERT INTO mind_watermarks (subject_id, kind, watermark, failures, updated_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id, subject_id, kind)
     DO UPDATE SET watermark = excluded.watermark, failures = excluded.failures, updated_at = excluded.updated_at,
                   dismissed_at = NULL`,
    [subjectId, kind, watermark, failures, new Date(now)],
  );
}
