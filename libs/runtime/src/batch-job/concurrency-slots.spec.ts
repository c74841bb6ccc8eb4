import { type WithoutSlot, ConcurrencySlots } from './concurrency-slots.js';

/** Lets everything run that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A job that begins, waits for `answer`, and ends when it is told to; `course` tells what happened. */
function createJobs(slots: ConcurrencySlots) {
  const course: string[] = [];
  const start = (name: string) => {
    const [answer, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = slots.run(async (withoutSlot) => {
      course.push(`${name} begins`);
      await withoutSlot(() => answer.promise);
      course.push(`${name} comes back`);
      await end.promise;
    });
    return { answer: answer.resolve, fail: answer.reject, end: end.resolve, ended };
  };
  return { course, start };
}

describe('ConcurrencySlots', () => {
  it('lets no more jobs work at a time than there are slots, in the order in which they came', async () => {
    const slots = new ConcurrencySlots(2);
    const [course, ends] = [[] as string[], [] as (() => void)[]];
    const jobs = ['a', 'b', 'c', 'd'].map((name) =>
      slots.run(async () => {
        course.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      }),
    );
    await settle();
    expect(course).toEqual(['a', 'b']);
    ends[1]!();
    await settle();
    expect(course).toEqual(['a', 'b', 'c']);
    ends[0]!();
    await settle();
    ends.forEach((end) => end());
    expect(await Promise.all(jobs)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives the slot of a job that waits to the next, and one that comes back goes first', async () => {
    const { course, start } = createJobs(new ConcurrencySlots(1));
    const first = start('first');
    const second = start('second');
    await settle();
    expect(course).toEqual(['first begins', 'second begins']);
    second.answer();
    await settle();
    const third = start('third');
    first.answer();
    await settle();
    expect(course.slice(2)).toEqual(['second comes back']);
    second.end();
    await settle();
    expect(course.slice(3)).toEqual(['first comes back']);
    first.end();
    await settle();
    expect(course.slice(4)).toEqual(['third begins']);
    third.answer();
    third.end();
    await Promise.all([first.ended, second.ended, third.ended]);
  });

  it('has the slot back, and gives it back, when a wait fails', async () => {
    const { course, start } = createJobs(new ConcurrencySlots(1));
    const failing = start('failing');
    await settle();
    failing.fail(new Error('No answer.'));
    await expect(failing.ended).rejects.toThrow('No answer.');
    const next = start('next');
    next.answer();
    next.end();
    await next.ended;
    expect(course).toEqual(['failing begins', 'next begins', 'next comes back']);
  });

  it('keeps one slot for a job that waits for two things at once', async () => {
    const slots = new ConcurrencySlots(1);
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waitForBoth = async (withoutSlot: WithoutSlot) => {
      await Promise.all([withoutSlot(() => one.promise), withoutSlot(() => two.promise)]);
    };
    const job = slots.run(waitForBoth);
    one.resolve();
    await settle();
    const { course, start } = createJobs(slots);
    const [first, second] = [start('first'), start('second')];
    first.answer();
    await settle();
    expect(course).toEqual(['first begins', 'second begins', 'first comes back']);
    two.resolve();
    for (const { answer, end } of [first, second]) {
      answer();
      end();
    }
    await Promise.all([job, first.ended, second.ended]);
  });
});
