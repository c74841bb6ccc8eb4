import { type AnnalsSystem, ApiClient, type FakeModels, startFakeModels, startSystem } from '@annals/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addressed, readExamples } from '../sdk/readme-examples.js';
import { runIn, RUNTIMES } from '../sdk/runtimes.js';
import { AI_SDK_FOLDER, installAiSdk } from './install-ai-sdk.js';

const EXAMPLES = readExamples(AI_SDK_FOLDER);
/** `ai` needs Node 22. */
const NEW_ENOUGH = RUNTIMES.filter(({ title }) => title !== 'Node 20');
/** `ai` reads the name of the machine when it is loaded. */
const FLAGS = { 'Deno 2': ['--allow-sys'] };

describe('the examples in the README of @annals/ai-sdk', () => {
  let system: AnnalsSystem;
  let models: FakeModels;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-ai-readme-'));
    installAiSdk(folder);
    [system, models] = await Promise.all([startSystem(), startFakeModels({ answer: () => 'In Lisbon.' })]);
  });
  afterAll(async () => {
    await Promise.all([system?.close(), models?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('are those of the page', () => {
    expect(EXAMPLES.map(({ title }) => title)).toEqual([
      'The client',
      'A conversation that remembers',
      'Tools',
      "Anthropic's memory tool",
    ]);
    expect(EXAMPLES.flatMap(({ prints }) => prints).length).toBeGreaterThan(5);
  });

  it.each(NEW_ENOUGH)('print on $title what the page says', async (runtime) => {
    const name = `ai-${runtime.title.toLowerCase().replace(' ', '-')}`;
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key } = await operator.must('createTenant', { body: { name } });
    const variables = {
      ANNALS_KEY: key,
      OPENAI_API_KEY: 'sk-1',
      OPENAI_BASE_URL: models.openaiUrl,
      ANTHROPIC_API_KEY: 'sk-1',
    };
    const printed: Record<string, string[]> = {};
    for (const example of EXAMPLES) {
      // The examples are JavaScript as well.
      const file = path.join(folder, `${name}-${example.file}`.replace(/ts$/, 'js'));
      // A machine that runs specs may be slower than the limit of the page.
      writeFileSync(file, addressed(example, system.nextUrl()).replace('timeoutMs: 2_000', 'timeoutMs: 600_000'));
      printed[example.title] = await runIn(runtime, file, variables, FLAGS);
    }
    expect(printed).toEqual(Object.fromEntries(EXAMPLES.map((example) => [example.title, example.prints])));
  });
});
