import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_DOCS } from './docs.js';
import type { MetricDefinition } from './metrics/definition.js';
import { METRICS } from './metrics/manifest.js';

const readRootFile = (path: string) => readFileSync(join(__dirname, '../../..', path), 'utf8');

describe('the generated pages', () => {
  it.each(Object.entries(GENERATED_DOCS))(
    '%s is up to date (if not: pnpm --filter @annals/observability run docs)',
    (path, render) => {
      expect(readRootFile(path)).toBe(render());
    },
  );
});

describe('docs/operating.md', () => {
  const named = [
    ...readRootFile('docs/operating.md').matchAll(/\b(memory_llm_[a-z_]+?)(?:_bucket)?\b(?:\{([^}]*)\})?/g),
  ];
  const definitions: Readonly<Record<string, MetricDefinition>> = METRICS;
  const referenced = new Map(named.map(([text, name, matchers]) => [text, { name: name!, matchers: matchers ?? '' }]));

  it.each([...referenced])('references existing metrics and label values: %s', (_, { name, matchers }) => {
    expect(Object.keys(METRICS)).toContain(name);
    const { labels } = definitions[name]!;
    for (const [, label, , value] of matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)) {
      expect(Object.keys(labels)).toContain(label);
      const values = labels[label!]!;
      // In a Markdown table the bar between alternatives is escaped.
      if (!('bounded' in values)) expect(values).toEqual(expect.arrayContaining(value!.split(/\\?\|/)));
    }
  });
});
