import type { VaultMemory } from './vault-item.js';

export const VAULT_MEMORY: VaultMemory = {
  role: 'memory',
  id: '01980000-0000-7000-8000-000000000001',
  threadId: 'kitchen',
  content: 'The user likes tea.',
  category: 'preferences',
  type: 'semantic',
  origin: 'extraction',
  importance: 3,
  confidence: 0.8,
  pinned: false,
  revision: 1,
  hash: 'abc',
  createdAt: Date.UTC(2026, 10, 30, 2, 35, 41, 123),
  validFrom: Date.UTC(2026, 10, 30),
  validTo: null,
  closedAt: null,
  replacedBy: null,
  deletedAt: null,
  deletedBy: null,
  sources: [],
};
