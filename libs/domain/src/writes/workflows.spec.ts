import { composeProcedure } from '../writing/procedure.js';
import { DAY, observe, SimulatedLifecycle } from './lifecycle.fixture.js';

const STEPS = ['Open the release branch.', 'Run the tests.', 'Tag the release.'];
const compose = (title: string, steps: readonly string[], tags: readonly string[] = ['release']) =>
  composeProcedure({ title, steps, tags });
const carriedOut = (content: string, day: number, quote = 'I opened the release branch') =>
  observe(content, {
    type: 'procedural',
    category: 'procedural',
    validFrom: day * DAY,
    saidAt: day * DAY,
    sources: [{ messageId: `m${day}`, quote }],
  });

describe('a workflow that was carried out again', () => {
  it.each([
    ['the same title', 'How to publish the release'],
    ['another number', 'How to publish release 2.5'],
  ])('is merged when the steps are equal, under %s and other tags', (_what, title) => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([carriedOut(compose('How to publish the release', STEPS), 1)]);
    const plan = lifecycle.write([carriedOut(compose(title, STEPS, ['publish']), 2)]);
    expect(lifecycle.rows.size).toBe(1);
    expect(plan.sources).toMatchObject([{ memoryId: 'id-1', messageId: 'm2' }]);
  });

  it.each([
    ['a step more', [...STEPS, 'Inform the support team.']],
    ['a step less', STEPS.slice(0, 2)],
    ['another order', STEPS.toReversed()],
    ['a negation', STEPS.with(2, "Don't tag the release.")],
  ])('supersedes the version before when it has %s', (_what, steps) => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([carriedOut(compose('How to publish the release', STEPS), 1)]);
    const changed = compose('How to publish the release', steps);
    const plan = lifecycle.write([carriedOut(changed, 2, 'I also informed the support team.')]);
    expect(plan.results).toEqual([{ outcome: 'superseded', memoryId: 'id-2' }]);
    expect(lifecycle.current()).toEqual([changed]);
  });

  it('leaves other workflows alone, and procedures that somebody has written', () => {
    const lifecycle = new SimulatedLifecycle();
    const written = composeProcedure({ title: 'How to publish the release', steps: ['Ask Ana.'] });
    const other = compose('How to publish the newsletter', STEPS);
    const release = compose('How to publish the release', STEPS);
    lifecycle.write([carriedOut(written, 1)]);
    lifecycle.write([carriedOut(other, 2)]);
    lifecycle.write([carriedOut(release, 3)]);
    expect(lifecycle.current().toSorted()).toEqual([written, other, release].toSorted());
  });
});
