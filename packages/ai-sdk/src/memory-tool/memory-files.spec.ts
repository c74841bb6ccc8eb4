import { createVault, type MemoryVault } from '../fixtures/memory-vault.fixture.js';
import { type AnnalsMemoryTool, annalsMemoryTool } from './annals-memory-tool.js';

const NOTES = '/memories/notes.md';
const TEA = 'The user likes tea.';
const DOG = 'The user has a dog.';

describe('annalsMemoryTool, when others change what it changes', () => {
  let vault: MemoryVault;
  let tool: AnnalsMemoryTool;
  beforeEach(() => {
    vault = createVault();
    tool = annalsMemoryTool(vault.client, { user: 'mara' });
  });
  const create = (file_text: string, path = NOTES) => tool.create({ command: 'create', path, file_text });
  const remove = (path = NOTES) => tool.delete({ command: 'delete', path });

  it.each([
    ['that a person changed', { pinned: true }],
    ['that a person stated as well', { revision: 1, sources: [{ quote: TEA }] }],
  ])('keeps a memory %s when its line is deleted', async (_which, change) => {
    await create(`${TEA}\n${DOG}`);
    vault.touch(TEA, change as never);
    await remove();
    expect(vault.contents()).toEqual([TEA]);
  });
});
