import { extractionQueue, vectorsQueue } from '@annals/contracts';
import { describeJob, isOwnJobId } from './describe-job.js';

const ID = '00000000-0000-7000-8000-000000000001';
const JOB = { id: `extraction-${ID}-1`, name: 'extract-batch', data: {}, timestamp: 1, attemptsMade: 2 };

describe('describeJob', () => {
  it('shows the ids and the generation of a payload, and nothing else of it', () => {
    const data = { tenantId: ID, batchId: ID, generation: 1, text: 'words' };
    const shown = describeJob({ ...JOB, data }, extractionQueue);
    expect(shown.data).toEqual({ tenantId: ID, subjectId: ID, generation: 1 });
    expect(describeJob({ ...JOB, data: { text: 'words' } }, extractionQueue).data).toBeNull();
  });

  it.each([
    ['timeout', 'timeout'],
    ['', ''],
    [undefined, ''],
    ['job stalled more than allowable limit', 'stalled'],
    ['Ada said so', 'unknown'],
    ['x'.repeat(65), 'unknown'],
  ])('shows of the reason %s: %s', (failedReason, shown) =>
    expect(describeJob({ ...JOB, failedReason }, extractionQueue).failedReason).toBe(shown),
  );

  it('shows the name of the queue’s jobs only', () => {
    expect(describeJob(JOB, extractionQueue).name).toBe('extract-batch');
    expect(describeJob({ ...JOB, name: 'Ada' }, extractionQueue).name).toBe('unknown');
  });

  it('knows the ids of the queue’s jobs', () => {
    const own = extractionQueue.jobId({ tenantId: ID, subjectId: ID, generation: 12 });
    expect(isOwnJobId(own, extractionQueue)).toBe(true);
    for (const id of [undefined, '', 'Ada', `${own}-Ada`, `x${own}`, `extraction-${ID}`])
      expect(isOwnJobId(id, extractionQueue)).toBe(false);
    expect(isOwnJobId(own, vectorsQueue)).toBe(false);
  });
});
