import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_BINDINGS_DOC, renderKeyBindingsDocs } from './docs.js';

describe('docs/reference/key-bindings.md', () => {
  it('is up to date with the table (if not, run pnpm --filter @annals/contracts run docs)', () => {
    expect(readFileSync(join(__dirname, '../../../..', KEY_BINDINGS_DOC), 'utf8')).toBe(renderKeyBindingsDocs());
  });
});
