import { queues, type WorkKind, type WorkJob } from '@annals/contracts';
import { z } from 'zod';
import { QUEUE_UI_PATH } from '../../http/route-table.js';

const paramsSchema = z.object({
  kind: z.enum(Object.keys(queues) as [WorkKind, ...WorkKind[]]),
  tenantId: z.uuid().toLowerCase(),
  subjectId: z.uuid().toLowerCase(),
});

/** Work of one kind about one subject of a tenant, and the path of its page. */
export type SubjectOfWork = z.output<typeof paramsSchema> & { readonly path: string };

export const SUBJECT_PATH = `${QUEUE_UI_PATH}/work/:kind/:tenantId/:subjectId`;

export function subjectOf(
  kind: WorkKind,
  { tenantId, subjectId }: Pick<WorkJob, 'tenantId' | 'subjectId'>,
): SubjectOfWork {
  return { kind, tenantId, subjectId, path: `${QUEUE_UI_PATH}/work/${kind}/${tenantId}/${subjectId}` };
}

/** Null for a path that can be of no work. */
export function parseSubject(params: unknown): SubjectOfWork | null {
  const parsed = paramsSchema.safeParse(params);
  return parsed.success ? subjectOf(parsed.data.kind, parsed.data) : null;
}

export function parseKind(params: unknown): WorkKind | null {
  return paramsSchema.pick({ kind: true }).safeParse(params).data?.kind ?? null;
}
