import { addGlobalMemorySchema } from '@annals/contracts';
import { composeNewMemory, composeSuccessor, fitsProcedural } from './manual-memory.js';

const NOW = Date.UTC(2026, 0, 2);

const WRITTEN_BY_HAND = { origin: 'manual', sources: [], provider: null, model: null, costMicroUsd: 0, saidAt: NOW };

describe('a memory written by hand', () => {
  const input = (fields: object) =>
    addGlobalMemorySchema.parse({
      content: 'The user likes tea.',
      category: 'preferences',
      type: 'semantic',
      ...fields,
    });

  it('is valid from now on, or from the time that it names', () => {
    expect(composeNewMemory(input({}), NOW)).toMatchObject({ ...WRITTEN_BY_HAND, validFrom: NOW, validTo: null });
    const named = composeNewMemory(input({ valid_from: '2025-06-01T00:00:00Z' }), NOW);
    expect(named).toMatchObject({ ...WRITTEN_BY_HAND, validFrom: Date.UTC(2025, 5, 1) });
  });

  it('writes the steps of a procedure below its title', () => {
    const procedure = input({
      content: 'How to deploy',
      category: 'procedural',
      type: 'procedural',
      steps: ['Build the image.', 'Push it to the registry.'],
    });
    expect(composeNewMemory(procedure, NOW).content.split('\n')).toHaveLength(3);
  });

  it('is succeeded by one that copies what the patch does not contain', () => {
    const { content, category, type, importance, confidence, pinned } = composeNewMemory(
      input({ importance: 5, pinned: true }),
      NOW,
    );
    const stored = { content, category, type, importance, confidence, pinned, id: 'of the former memory' };
    const successor = composeSuccessor(stored, { content: 'The user likes coffee.' }, NOW);
    expect(successor).toEqual({
      ...composeNewMemory(input({ importance: 5, pinned: true }), NOW),
      content: 'The user likes coffee.',
    });
  });

  it('is in the category of procedures when it is one, and only then', () => {
    expect(fitsProcedural('procedural', 'procedural')).toBe(true);
    expect(fitsProcedural('procedural', 'preferences')).toBe(false);
    expect(fitsProcedural('semantic', 'procedural')).toBe(false);
    expect(fitsProcedural('semantic', 'preferences')).toBe(true);
  });
});
