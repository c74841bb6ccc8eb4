import { type AnnalsSystem, ApiClient, startSystem } from '@annals/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addressed, readExamples } from '../sdk/readme-examples.js';
import { runIn, RUNTIMES } from '../sdk/runtimes.js';
import { installLangGraph, LANGGRAPH_FOLDER } from './install-langgraph.js';

const EXAMPLES = readExamples(LANGGRAPH_FOLDER);

describe('the examples in the README of @annals/langgraph', () => {
  let system: AnnalsSystem;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-langgraph-readme-'));
    installLangGraph(folder);
    system = await startSystem({ gatewayAlone: true });
  });
  afterAll(async () => {
    await system?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are those of the page', () => {
    expect(EXAMPLES.map(({ title }) => title)).toEqual([
      'The client',
      'A graph that waits for a person',
      'Threads',
      'What agents remember across threads',
    ]);
    expect(EXAMPLES.flatMap(({ prints }) => prints)).toHaveLength(9);
  });

  it('print what the page says', async () => {
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key } = await operator.must('createTenant', { body: { name: 'langgraph-readme' } });
    const printed: Record<string, string[]> = {};
    for (const example of EXAMPLES) {
      // Node removes the types of TypeScript.
      const file = path.join(folder, example.file);
      writeFileSync(file, addressed(example, system.nextUrl()));
      printed[example.title] = await runIn(RUNTIMES[0]!, file, { ANNALS_KEY: key });
    }
    expect(printed).toEqual(Object.fromEntries(EXAMPLES.map((example) => [example.title, example.prints])));
  });
});
