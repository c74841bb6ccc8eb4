import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import type { Tx } from '@annals/storage';
import { planSteps } from './plan-steps.js';
import { StepRunner } from './step-runner.js';

describe('StepRunner', () => {
  it('begins no further search in a batch that has taken too long, and names the operation', async () => {
    const clock = new ManualClock(0);
    const ids = new UuidV7Generator(clock, new SeededRng(1));
    let statements = 0;
    const query = async () => {
      statements += 1;
      clock.advance(9_000);
      return [];
    };
    const batch = {
      userId: 'ada',
      conditions: new Map(),
      values: new Map(),
      vectors: { model: 'm', ofItems: new Map(), ofQueries: new Map(), lacksTexts: false, isDegraded: false },
    };
    const scope = { userId: 'ada', now: clock.now() };
    const runner = new StepRunner({ query } as unknown as Tx, scope, batch, { clock, ids });
    const list = { op: 'list_namespaces' as const, match_conditions: [], limit: 1, offset: 0 };
    const [step] = planSteps(Array.from({ length: 10 }, () => list));
    await expect(runner.run(step!)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('body.operations[3]: What comes before took 20 seconds'),
    });
    expect(statements).toBe(3);
  });
});
