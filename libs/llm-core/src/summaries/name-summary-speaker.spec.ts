import { nameSummarySpeakers } from './name-summary-speaker.js';

describe('nameSummarySpeakers', () => {
  it('names people as memories do, and others by their role', () => {
    const messages = [
      { role: 'user' as const, actorId: null },
      { role: 'user' as const, actorId: 'Ana' },
      { role: 'user' as const, actorId: 'U0423' },
      { role: 'assistant' as const, actorId: null },
      { role: 'tool' as const, actorId: 'search' },
    ];
    const name = nameSummarySpeakers(messages, { id: 'u1', names: [] });
    expect(messages.map(name)).toEqual(['The user', 'Ana', 'Another participant (U0423)', 'The assistant', 'A tool']);
  });
});
