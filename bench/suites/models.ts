import { FakeModelsProcess, type FakeModelsRemote, type JournalEntry } from '@annals/testing';
import { createSeeder, drain } from '../frame/drain.ts';
import type { Row } from '../frame/row.ts';
import { log } from '../frame/log.ts';
import { withDeployment, type BenchDeployment } from '../frame/deployment.ts';
import type { Suite } from '../frame/suite.ts';
import { describePrompts } from '../models/describe-prompts.ts';
import { describeSides, type MeasuredSide } from '../models/describe-sides.ts';
import { measureBareCalls } from '../models/measure-bare-calls.ts';
import { measureEmbeddings } from '../models/measure-embeddings.ts';
import { drainSide, type SideResult } from '../models/measure-side.ts';
import { measureStreaming } from '../models/measure-streaming.ts';
import { listSides, type Side } from '../models/sides.ts';

type Measuring = { [Key in keyof MeasuredSide]: Key extends 'side' ? Side : SideResult[] };

const MODEL_MS = 200;
/** Rate limits in the headers of every response, as of real providers; never reached. */
const LIMITS = { requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000 };

interface Sizes {
  readonly rounds: number;
  /** Jobs one at a time, concurrently, and with a delayed model. */
  readonly alone: number;
  readonly fast: number;
  readonly slow: number;
}
const QUICK: Sizes = { rounds: 1, alone: 50, fast: 200, slow: 200 };
const FULL: Sizes = { rounds: 3, alone: 100, fast: 400, slow: 300 };

/**
 * Targets T3 and T4 (docs/reference/performance-targets.md#t3-overhead-of-an-extraction-job,
 * docs/reference/performance-targets.md#t4-model-calls-and-tokens-of-a-job) with real SDKs, streams, admission control
 * and ledger, against a model server in a process of its own.
 */
export const benchModels: Suite = (options) =>
  withDeployment(options, async (deployment) => {
    const fake = await FakeModelsProcess.start({ limits: LIMITS });
    const sizes = options.quick ? QUICK : FULL;
    const sides = listSides(fake);
    const seed = createSeeder(deployment.environment);
    try {
      const measured = await measureRounds(deployment, fake, sides, seed, sizes);
      const rows = [
        ...describeSides(measured, MODEL_MS),
        ...(await describeAllPrompts(measured, sizes.fast)),
        ...(await measureBareCalls(fake, findWholeCall(measured), sizes.fast)),
      ];
      await seed(sizes.fast);
      await drainSide(deployment, fake, sides[0]!, { jobs: sizes.fast, delayMs: 0 });
      rows.push(...(await measureEmbeddings(deployment, fake, sizes.fast)));
      for (const { side, fast } of measured.filter((each) => each.side.isStreamed)) {
        await seed(sizes.slow);
        rows.push(await measureStreaming(deployment, fake, side, fast[0]!.requests.at(-1)!, sizes.slow));
      }
      return rows;
    } finally {
      await fake.stop();
    }
  });

async function measureRounds(
  deployment: BenchDeployment,
  fake: FakeModelsRemote,
  sides: readonly Side[],
  seed: (count: number) => Promise<void>,
  { rounds, ...sizes }: Sizes,
): Promise<MeasuredSide[]> {
  const measured = sides.map((side): Measuring => ({ side, alone: [], fast: [], slow: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { side, alone, fast, slow } of measured) {
      log(`${side.name} …`);
      await seed(sizes.alone);
      alone.push(await drainSide(deployment, fake, side, { jobs: sizes.alone, delayMs: 0, concurrency: 1 }));
      await seed(sizes.fast);
      fast.push(await drainSide(deployment, fake, side, { jobs: sizes.fast, delayMs: 0 }));
      await seed(sizes.slow);
      slow.push(await drainSide(deployment, fake, side, { jobs: sizes.slow, delayMs: MODEL_MS }));
    }
    await drain(deployment, 'persistence', (sizes.alone + sizes.fast + sizes.slow) * sides.length);
  }
  return measured;
}

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
  if (!whole) throw new Error('No side has a request with a complete answer.');
  return whole;
}
