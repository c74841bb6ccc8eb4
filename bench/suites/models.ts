import { FakeModelsProcess, type JournalEntry } from '@annals/testing';
import { createSeeder, drain } from '../frame/drain.ts';
import type { Row } from '../frame/row.ts';
import { say } from '../frame/say.ts';
import { onStage } from '../frame/stage.ts';
import type { Suite } from '../frame/suite.ts';
import { describePrompts } from '../models/describe-prompts.ts';
import { describeSides, type MeasuredSide } from '../models/describe-sides.ts';
import { measureBareCalls } from '../models/measure-bare-calls.ts';
import { measureEmbeddings } from '../models/measure-embeddings.ts';
import { drainSide, type SideDrained } from '../models/measure-side.ts';
import { listSides } from '../models/sides.ts';

const MODEL_MS = 200;
/** Told with every answer, as providers do; never reached. */
const LIMITS = { requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000 };

/** T3, T4 by the real way: SDKs, streams, gates and ledger, against a model's server in a process of its own. */
export const benchModels: Suite = (options) =>
  onStage(options, async (stage) => {
    const fake = await FakeModelsProcess.start({ limits: LIMITS });
    try {
      const sizes = options.quick
        ? { rounds: 1, fastJobs: 200, slowJobs: 200 }
        : { rounds: 3, fastJobs: 600, slowJobs: 400 };
      const seed = createSeeder(stage.place);
      const sides = listSides(fake).map((side) => ({
        side,
        fast: [] as SideDrained[],
        slow: [] as SideDrained[],
      }));
      for (let round = 0; round < sizes.rounds; round += 1) {
        for (const { side, fast, slow } of sides) {
          say(`${side.name} …`);
          await seed(sizes.fastJobs);
          fast.push(await drainSide(stage, fake, side, { jobs: sizes.fastJobs, delayMs: 0 }));
          await seed(sizes.slowJobs);
          slow.push(await drainSide(stage, fake, side, { jobs: sizes.slowJobs, delayMs: MODEL_MS }));
        }
        if (round === sizes.rounds - 1) break;
        await drain(stage, 'persistence', (sizes.fastJobs + sizes.slowJobs) * sides.length);
      }
      const allJobs = (sizes.fastJobs + sizes.slowJobs) * sides.length;
      return [
        ...describeSides(sides, MODEL_MS),
        ...(await describeAllPrompts(sides, sizes.fastJobs)),
        ...(await measureEmbeddings(stage, fake, allJobs)),
        ...(await measureBareCalls(fake, findWholeCall(sides), options.quick ? 200 : 1_000)),
      ];
    } finally {
      await fake.stop();
    }
  });

async function describeAllPrompts(sides: readonly MeasuredSide[], jobs: number): Promise<Row[]> {
  const remote = sides.filter(({ side }) => side.isRemote);
  const rows = await Promise.all(
    remote.map(({ side, fast }) =>
      describePrompts(
        side.name,
        fast.flatMap(({ requests }) => requests),
        jobs * fast.length,
      ),
    ),
  );
  return rows.flat();
}

function findWholeCall(sides: readonly MeasuredSide[]): JournalEntry {
  const entries = sides.flatMap(({ fast }) => fast.flatMap(({ requests }) => requests));
  const whole = entries.find(({ request }) => request.api === 'anthropic' && !request.stream);
  if (!whole) throw new Error('No side sent a request whose answer came whole.');
  return whole;
}
