import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION_DOC, renderConfigurationDocs } from './docs.js';
import type { Fragment, Variables } from './fragment.js';
import { FRAGMENTS } from './fragments.js';

const fragments = Object.values<Fragment<Variables, object>>(FRAGMENTS);
const variables = fragments.flatMap((fragment) =>
  Object.values(fragment.variables).map((variable) => [variable.name, variable] as const),
);

describe('docs/configuration.md', () => {
  it('is up to date with the fragments (if not, run pnpm --filter @annals/config run docs)', () => {
    expect(readFileSync(join(__dirname, '../../..', CONFIGURATION_DOC), 'utf8')).toBe(renderConfigurationDocs());
  });

  it.each(variables)(
    '%s has an ANNALS_, MEMORY_LLM_ or OTEL_ prefix and a description that is a sentence',
    (name, variable) => {
      expect(name).toMatch(/^(?:ANNALS|MEMORY_LLM|OTEL)_[A-Z_]+$/);
      expect(variable.description).toMatch(/^.{10,}\.$/);
    },
  );

  it.each(variables.filter(([, { default: text }]) => text !== undefined))(
    'the default of %s is valid',
    (_name, variable) => {
      expect(variable.schema.safeParse(variable.default).success).toBe(true);
    },
  );

  it.each(variables.filter(([name]) => /_(KEY|PASSWORD)$|DATABASE_URL|REDIS_URL/.test(name)))(
    '%s is marked secret',
    (_name, variable) => {
      expect(variable.secret).toBe(true);
    },
  );
});
