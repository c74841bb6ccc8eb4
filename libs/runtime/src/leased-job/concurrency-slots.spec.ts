import { ManualClock } from '@annals/domain';
import { type WithoutSlot, ConcurrencySlots } from './concurrency-slots.js';

/** Runs everything that is ready. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Jobs that start, wait for `answer`, and end on `end`; `steps` records what happened. */
function createJobs(slots: ConcurrencySlots) {
  const steps: string[] = [];
  const start = (name: string) => {
    const [answer, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = slots.run(async (withoutSlot) => {
      steps.push(`${name} starts`);
      await withoutSlot(() => answer.promise);
      steps.push(`${name} resumes`);
      await end.promise;
    });
    return { answer: answer.resolve, fail: answer.reject, end: end.resolve, ended };
  };
  return { steps, start };
}

describe('ConcurrencySlots', () => {
  it('runs no more jobs at a time than there are slots, in their order', async () => {
    const slots = new ConcurrencySlots(2);
    const [steps, ends] = [[] as string[], [] as (() => void)[]];
    const jobs = ['a', 'b', 'c', 'd'].map((name) =>
      slots.run(async () => {
        steps.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      }),
    );
    await settle();
    expect(steps).toEqual(['a', 'b']);
    ends[1]!();
    await settle();
    expect(steps).toEqual(['a', 'b', 'c']);
    ends[0]!();
    await settle();
    ends.forEach((end) => end());
    expect(await Promise.all(jobs)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives the slot of a waiting job to the next, and prefers a resumed job to a new one', async () => {
    const { steps, start } = createJobs(new ConcurrencySlots(1));
    const first = start('first');
    const second = start('second');
    await settle();
    expect(steps).toEqual(['first starts', 'second starts']);
    second.answer();
    await settle();
    const third = start('third');
    first.answer();
    await settle();
    expect(steps.slice(2)).toEqual(['second resumes']);
    second.end();
    await settle();
    expect(steps.slice(3)).toEqual(['first resumes']);
    first.end();
    await settle();
    expect(steps.slice(4)).toEqual(['third starts']);
    third.answer();
    third.end();
    await Promise.all([first.ended, second.ended, third.ended]);
  });

  it('reacquires and releases the slot when a wait fails', async () => {
    const { steps, start } = createJobs(new ConcurrencySlots(1));
    const failing = start('failing');
    await settle();
    failing.fail(new Error('No answer.'));
    await expect(failing.ended).rejects.toThrow('No answer.');
    const next = start('next');
    next.answer();
    next.end();
    await next.ended;
    expect(steps).toEqual(['failing starts', 'next starts', 'next resumes']);
  });

  it('reacquires only one slot for a job that waits for two things concurrently', async () => {
    const slots = new ConcurrencySlots(1);
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waitForBoth = async (withoutSlot: WithoutSlot) => {
      await Promise.all([withoutSlot(() => one.promise), withoutSlot(() => two.promise)]);
    };
    const job = slots.run(waitForBoth);
    one.resolve();
    await settle();
    const { steps, start } = createJobs(slots);
    const [first, second] = [start('first'), start('second')];
    first.answer();
    await settle();
    expect(steps).toEqual(['first starts', 'second starts', 'first resumes']);
    two.resolve();
    for (const { answer, end } of [first, second]) {
      answer();
      end();
    }
    await Promise.all([job, first.ended, second.ended]);
  });

  describe('with a share of the time', () => {
    const open = (percent: number) => {
      const clock = new ManualClock();
      const steps: string[] = [];
      const use = (name: string, ms: number) => {
        steps.push(name);
        clock.advance(ms);
      };
      const pass = async (ms: number) => {
        clock.advance(ms);
        await settle();
      };
      return { slots: new ConcurrencySlots(1, { percent, clock }), clock, steps, use, pass };
    };

    it('lets a slot rest after each use, also before a wait, but not for the wait', async () => {
      const { slots, steps, use, pass } = open(20);
      const answer = Promise.withResolvers<void>();
      const first = slots.run(async (withoutSlot) => {
        use('first starts', 25);
        await withoutSlot(() => answer.promise);
        use('first resumes', 10);
      });
      const second = slots.run(async () => use('second', 5));
      await settle();
      await pass(99);
      expect(steps).toEqual(['first starts']);
      await pass(1);
      expect(steps).toEqual(['first starts', 'second']);
      answer.resolve();
      await pass(19);
      expect(steps.slice(2)).toEqual([]);
      await pass(1);
      expect(steps.slice(2)).toEqual(['first resumes']);
      await Promise.all([first, second]);
    });

    it('rests for two seconds at most', async () => {
      const { slots, steps, use, pass } = open(1);
      await slots.run(async () => use('first', 60_000));
      const second = slots.run(async () => use('second', 1));
      await pass(1_999);
      expect(steps).toEqual(['first']);
      await pass(1);
      expect(steps).toEqual(['first', 'second']);
      await second;
    });

    it('never rests with a hundred percent', async () => {
      const { slots, clock, steps, use } = open(100);
      await slots.run(async () => use('first', 1_000));
      await slots.run(async () => use('second', 1_000));
      expect(steps).toEqual(['first', 'second']);
      expect(clock.waiting).toBe(0);
    });
  });
});
