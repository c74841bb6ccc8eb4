import { loadExtraction } from '@annals/storage';
import { createTestDatabase, type FakeModels, startFakeModels, type TestDatabase } from '@annals/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeModels, ExtractionService, type TestMessage } from './extraction-service.fixture.js';

const HELLO: readonly TestMessage[] = [
  ['user', 'I moved to Lisbon.'],
  ['user', 'My sister Mia is a nurse.'],
];
const PETS = 'categories:\n  custom:\n    - {name: pets, context: all, description: animals they live with}';

describe('the categories of an extraction', () => {
  const folder = mkdtempSync(join(tmpdir(), 'annals-categories-'));
  const file = join(folder, 'categories.yaml');
  let models: FakeModels;
  let database: TestDatabase;
  let service: ExtractionService | undefined;

  beforeAll(async () => {
    models = await startFakeModels();
  });
  beforeEach(async () => {
    models.journal.clear();
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await database?.drop();
  });
  afterAll(async () => {
    await models?.close();
    rmSync(folder, { recursive: true });
  });

  const start = async (text: string, env: Record<string, string> = {}) => {
    writeFileSync(file, text);
    service = await ExtractionService.start({
      database,
      env: { ...describeModels(models), ANNALS_CATEGORIES_FILE: file, ...env },
    });
    return service;
  };
  const extract = async (running: ExtractionService) => {
    const id = await running.post(HELLO);
    await running.waitFor(id, 'persisting');
    return id;
  };
  const prompts = () =>
    models.journal.generated.map(({ request: { system, body } }) => ({ system, body: JSON.stringify(body) }));

  it('are those of the file, in prompt text and schema, byte for byte the same until the file changes', async () => {
    const running = await start(PETS, { MEMORY_LLM_PRIMARY: 'claude' });
    await extract(running);
    await extract(running);
    writeFileSync(file, PETS.replace('pets', 'animals'));
    running.categories.reload();
    const last = await extract(running);
    const [first, second, third] = prompts();
    expect(first!.system).toContain('style (how answers should look), pets (animals they live with).');
    expect(first!.body).toContain('"style","pets"]');
    expect(second!.system).toBe(first!.system);
    expect(third!.system).toContain('animals (animals they live with).');
    expect(third!.body).toContain('"style","animals"]');
    const [row] = await running.inTenant((tx) =>
      tx.query<{ version: string }>('SELECT prompt_version AS version FROM extractions WHERE batch_id = $1', [last]),
    );
    expect(row!.version).toMatch(/^extraction-\d+-[0-9a-f]{8}$/);
  });

  it('are the only ones in which the local rules store memories', async () => {
    const running = await start('categories:\n  system:\n    - {name: history, context: all}\nallowlists: {}', {
      MEMORY_LLM_PRIMARY: 'local',
    });
    const id = await extract(running);
    const extraction = await running.inTenant((tx) => loadExtraction(tx, id));
    expect(new Set(extraction!.items.map(({ category }) => category))).toEqual(new Set(['history']));
    expect(running.listEvents('category_missing')).toHaveLength(1);
  });
});
