import {
  type CheckpointSaverTestInitializer,
  deltaChannelHistoryTests,
  specTest,
} from '@langchain/langgraph-checkpoint-validation';
import { startSavers, type Savers } from '../fixtures/savers.fixture.js';
import type { AnnalsSaver } from '../index.js';

describe('the validation of LangGraph', () => {
  let savers: Savers;
  beforeAll(async () => {
    savers = await startSavers();
  });
  afterAll(() => savers?.close());

  const initializer: CheckpointSaverTestInitializer<AnnalsSaver> = {
    checkpointerName: '@annals/langgraph',
    createCheckpointer: () => savers.createSaver(),
  };
  specTest(initializer);
  deltaChannelHistoryTests(initializer);
});
