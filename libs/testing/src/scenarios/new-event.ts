import type { NewEvent } from '@annals/storage';

/** The event of a recall query about `ada`, at `ts` (epoch ms). */
export function newEvent(id: string, ts: number, fields: Partial<Omit<NewEvent, 'id' | 'ts'>> = {}): NewEvent {
  return {
    id,
    userId: 'ada',
    threadId: null,
    node: 'context',
    op: 'recall',
    status: 'ok',
    memoryId: null,
    category: null,
    sim: null,
    ts,
    ...fields,
  };
}
