import { isBatchKind, queues, WORK_KINDS } from './queues.js';

const TENANT = '00000000-0000-7000-8000-000000000001';
const SUBJECT = '00000000-0000-7000-8000-000000000002';
const job = { tenantId: TENANT, subjectId: SUBJECT, generation: 3 };

describe('queues', () => {
  it.each(WORK_KINDS)('name the kind of their work, and read back what they store of a job: %s', (kind) => {
    const queue = queues[kind];
    expect(queue.name).toBe(kind);
    expect(queue.payload.parse(queue.data(job))).toEqual(job);
    expect(queue.jobId(job)).toBe(`${kind}-${SUBJECT}-3`);
  });

  it.each(WORK_KINDS.filter(isBatchKind))('exchange jobs with processes of the release before: %s', (kind) => {
    const queue = queues[kind];
    expect(queue.payload.parse({ tenantId: TENANT, batchId: SUBJECT, generation: 3 })).toEqual(job);
    expect(queue.data(job)).toMatchObject({ tenantId: TENANT, batchId: SUBJECT, generation: 3 });
  });

  it.each(WORK_KINDS)('tell jobs of two rows about one subject from each other: %s', (kind) => {
    const [one, two] = [TENANT, SUBJECT].map((workId) => ({ ...job, workId }));
    expect(queues[kind].jobId(one!)).not.toBe(queues[kind].jobId(two!));
    expect(queues[kind].payload.parse(queues[kind].data(one!))).toEqual(one);
  });

  it('refuse what names no subject', () => {
    for (const kind of WORK_KINDS) {
      expect(queues[kind].payload.safeParse({ tenantId: TENANT, generation: 3 }).success).toBe(false);
      expect(queues[kind].payload.safeParse(null).success).toBe(false);
    }
  });

  it('carry no id of a user that the application has chosen', () => {
    expect(queues.vectors.payload.safeParse({ ...job, subjectId: 'ada@example.org' }).success).toBe(false);
  });
});
