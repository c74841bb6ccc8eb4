import type { Environment } from '@annals/config';
import { loadExtraction } from '@annals/storage';
import { createTestDatabase, type FakeModels, startFakeModels, type TestDatabase } from '@annals/testing';
import { describeModels, ExtractionService } from './extraction-service.fixture.js';

/** A memory of a model's answer, from one message, which is named as in the prompt (`m1`). */
export const answeredMemory = (name: string, quote: string, content: string) => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 2,
  confidence: 0.9,
  evidence: [{ message_id: name, quote }],
});

export const answerWith = (...memories: readonly object[]) => ({
  kind: 'answer' as const,
  text: JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories }),
});

/** An extraction service that asks a fake model, with both on a database of their own. */
export class ExtractionWithModel {
  private constructor(
    readonly service: ExtractionService,
    readonly models: FakeModels,
    private readonly database: TestDatabase,
  ) {}

  static async start(env: Environment = {}): Promise<ExtractionWithModel> {
    const models = await startFakeModels();
    const database = await createTestDatabase();
    const described = { ...describeModels(models), MEMORY_LLM_PRIMARY: 'claude', ...env };
    return new ExtractionWithModel(await ExtractionService.start({ database, env: described }), models, database);
  }

  /** The model answers from its prompt again, and its journal is empty. */
  reset(): void {
    this.models.behave(undefined);
    this.models.journal.clear();
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.database.drop();
    await this.models.close();
  }

  get calls() {
    return this.models.journal.generated;
  }

  /** The extracted items of a batch. */
  async readItems(batchId: string) {
    return (await this.service.inTenant((tx) => loadExtraction(tx, batchId)))?.items;
  }

  async readContents(batchId: string): Promise<string[] | undefined> {
    return (await this.readItems(batchId))?.map(({ content }) => content);
  }

  /** What the extraction of a batch reports about one of its steps. */
  async readDiagnostics(batchId: string, step: 'writing' | 'multiFact'): Promise<object | null> {
    const [row] = await this.service.inTenant((tx) =>
      tx.query<{ diagnostics: Record<typeof step, object | null> }>(
        'SELECT diagnostics FROM extractions WHERE batch_id = $1',
        [batchId],
      ),
    );
    return row!.diagnostics[step];
  }
}
