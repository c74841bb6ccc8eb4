import type { NewEvent } from '@annals/storage';

/** That somebody asked what is known of `ada`, at `ts` (epoch ms). */
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
