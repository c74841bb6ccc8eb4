import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_DOCS } from './docs.js';

describe('the generated pages', () => {
  it.each(Object.entries(GENERATED_DOCS))(
    '%s says what the tables say (if not: pnpm --filter @annals/observability run docs)',
    (path, render) => {
      expect(readFileSync(join(__dirname, '../../..', path), 'utf8')).toBe(render());
    },
  );
});
