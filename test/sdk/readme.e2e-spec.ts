import { type AnnalsSystem, ApiClient, startSystem } from '@annals/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addressed, readExamples } from './readme-examples.js';
import { makeProject, runIn, RUNTIMES } from './runtimes.js';

const EXAMPLES = readExamples();

describe('the examples in the README of @annals/sdk', () => {
  let system: AnnalsSystem;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-readme-'));
    makeProject(folder);
    system = await startSystem();
  });
  afterAll(async () => {
    await system?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are those of the page', () => {
    expect(EXAMPLES.map(({ title }) => title)).toEqual([
      'The client',
      'Remember, wait, query',
      'Lists',
      'Correct, delete, restore',
      'Forget for good',
      'Streams',
      'Webhooks',
      'Errors',
      'Retries, time limits, aborting',
      'Runtimes',
    ]);
    expect(EXAMPLES.flatMap(({ prints }) => prints).length).toBeGreaterThan(7);
  });

  it.each(RUNTIMES)('print on $title what the page says', async (runtime) => {
    const name = `readme-${runtime.title.toLowerCase().replace(' ', '-')}`;
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key } = await operator.must('createTenant', { body: { name } });
    const printed: Record<string, string[]> = {};
    // In order, as a reader would run them: later ones find what earlier ones have stored.
    for (const example of EXAMPLES) {
      // The examples are JavaScript as well, which Node 20 needs.
      const file = path.join(folder, `${name}-${example.file}`.replace(/ts$/, 'js'));
      writeFileSync(file, addressed(example, system.nextUrl()));
      printed[example.title] = await runIn(runtime, file, { ANNALS_KEY: key });
    }
    expect(printed).toEqual(Object.fromEntries(EXAMPLES.map((example) => [example.title, example.prints])));
  });
});
