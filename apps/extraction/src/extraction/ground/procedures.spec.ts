import type { ExtractedItem } from '@annals/contracts';
import { runAtOnce, UNKNOWN_USER } from '@annals/domain';
import type { StoredTurn } from '@annals/storage';
import { addProcedures } from './ground-answer.js';
import { readBatch } from './read-batch.js';

const ASKED = 'Please remember how to rest:\n1. lie down\n2. close your eyes\nI have a dog called Rex.';

const add = (items: readonly ExtractedItem[], role: 'user' | 'assistant', content: string) => {
  const messages: StoredTurn[] = [{ id: 'm1', seq: 0, role, actorId: null, content, saidAt: 0 }];
  return runAtOnce(addProcedures(items, messages, runAtOnce(readBatch({ messages, context: [] }, UNKNOWN_USER))));
};

const item = (content: string, quote: string, more: Partial<ExtractedItem> = {}): ExtractedItem => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 2,
  evidence: [{ message_id: 'm1', quote }],
  ...more,
});
const lies = item('The user lies down.', 'lie down');
const dog = item('The user has a dog called Rex.', 'I have a dog called Rex.');

describe('addProcedures', () => {
  it('adds a procedure that a user asked to store, unconfirmed, and removes other memories of its steps', () => {
    const related = { ...dog, relations: [{ to_index: 0, relation_type: 'follows', strength: 1 }] };
    expect(add([lies, related], 'user', ASKED)).toEqual([
      { ...dog, relations: [] },
      {
        content: 'How to rest:\n1. Lie down.\n2. Close your eyes.',
        category: 'procedural',
        type: 'procedural',
        importance: 3,
        confidence: 0.95,
        evidence: [{ message_id: 'm1', quote: 'Please remember how to rest' }],
        quarantineReason: 'unconfirmed_procedure',
      },
    ]);
  });

  it.each([
    ['no user asked to store it', 'user', 'I rest like this:\n1. lie down\n2. close my eyes'],
    ['the message is the assistant’s', 'assistant', ASKED],
    ['it stands in a pasted text', 'user', `Summarise this: ${ASKED}`],
  ] as const)('adds nothing when %s', (_what, role, content) => {
    expect(add([lies, dog], role, content)).toEqual([lies, dog]);
  });
});
