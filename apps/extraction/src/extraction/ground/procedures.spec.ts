import type { ExtractedItem } from '@annals/contracts';
import { runAtOnce } from '@annals/domain';
import { addProcedures } from './ground-answer.js';

const ASKED = 'Please remember how to rest:\n1. lie down\n2. close your eyes\nI have a dog called Rex.';

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

const add = (...input: Parameters<typeof addProcedures>) => runAtOnce(addProcedures(...input));

describe('addProcedures', () => {
  it('adds a procedure that a user asked to store, and removes other memories of its steps', () => {
    const related = { ...dog, relations: [{ to_index: 0, relation_type: 'follows', strength: 1 }] };
    expect(add([lies, related], [{ id: 'm1', role: 'user', content: ASKED }])).toEqual([
      { ...dog, relations: [] },
      {
        content: 'How to rest:\n1. Lie down.\n2. Close your eyes.',
        category: 'procedural',
        type: 'procedural',
        importance: 3,
        confidence: 0.95,
        evidence: [{ message_id: 'm1', quote: 'Please remember how to rest' }],
      },
    ]);
  });

  it.each([
    ['no user asked to store it', 'user', 'I rest like this:\n1. lie down\n2. close my eyes'],
    ['the message is the assistant’s', 'assistant', ASKED],
  ] as const)('adds nothing when %s', (_what, role, content) => {
    expect(add([lies, dog], [{ id: 'm1', role, content }])).toEqual([lies, dog]);
  });
});
