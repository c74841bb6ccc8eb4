import { SeededRng } from '@annals/domain';
import {
  type AnnalsSystem,
  answerFromPrompt,
  decideNothing,
  type FakeModels,
  parseShownNames,
  startFakeModels,
  startSystem,
} from '@annals/testing';
import { chooseFakeModels } from '../faults/model-variables.js';
import { Timeline } from './timeline.fixture.js';

/** Pairs that only a model can decide about, each differing in a number, a name or a negation. Both of each hold. */
const PAIRS: readonly (readonly [first: string, second: string])[] = [
  ['The user paid 40 euros for the blue lamp.', 'The user paid 45 euros for the blue lamp.'],
  ['The user met Anna at the station in Rome.', 'The user met Clara at the station in Rome.'],
  ['The user ate meat at the wedding in Bonn.', 'The user did not eat meat at the wedding in Bonn.'],
  ['The user ran 10 kilometers with the running group.', 'The user ran 12 kilometers with the running group.'],
  ['The user called Peter about the broken heater.', 'The user called Olga about the broken heater.'],
  ['The user bought three tickets for the opera in Vienna.', 'The user bought four tickets for the opera in Vienna.'],
  ['The user saw the museum in Delft with Noor.', 'The user never saw the museum in Delft with Noor.'],
  ['The user sent 2 letters to the tax office.', 'The user sent 5 letters to the tax office.'],
  ['The user cooked soup for Mia on the balcony.', 'The user cooked soup for Tom on the balcony.'],
  ['The user liked the concert in the old town hall.', 'The user did not like the concert in the old town hall.'],
];
const USERS = 6;
const WRONG_SHARE = 0.2;

describe('a model that is wrong about one pair in five', () => {
  let system: AnnalsSystem;
  let models: FakeModels;
  let timeline: Timeline;
  /** One for each pair, so that its answers are the same in whichever order the users arrive. */
  const rngs = PAIRS.map((_, pair) => new SeededRng(20_260_410 + pair));
  let wrongAnswers = 0;
  const decided = { same: 0, replaces: 0 };

  /** Wrong answers say that the new statement repeats the memory, or that it replaces it. */
  const decide = (names: readonly string[], shown: string) => {
    const newStatement = shown.slice(shown.indexOf('<new>'));
    const rng = rngs[PAIRS.findIndex((pair) => pair.some((statement) => newStatement.includes(statement)))]!;
    const isWrong = rng.nextFloat() < WRONG_SHARE && names.includes('e1') && names.includes('n1');
    if (!isWrong) return names.map(decideNothing);
    wrongAnswers += 1;
    const kind = rng.nextFloat() < 0.5 ? 'same' : 'replaces';
    decided[kind] += 1;
    if (kind === 'same')
      return names.map((id) => (id === 'n1' ? { id, event: 'NONE', with: 'e1' } : decideNothing(id)));
    return names.map((id) => (id === 'e1' ? { id, event: 'DELETE', with: 'n1' } : decideNothing(id)));
  };

  beforeAll(async () => {
    models = await startFakeModels({
      answer: (request) => {
        const [shown = ''] = request.userTexts;
        const names = parseShownNames(shown);
        if (names.length > 0) return JSON.stringify({ decisions: decide(names, shown) });
        return answerFromPrompt(request).replaceAll(/The user said: “([^”]*)”/gu, '$1');
      },
    });
    system = await startSystem({
      env: chooseFakeModels(models, {
        ANNALS_RATE_LIMIT_PER_MINUTE: '100000',
        MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1000',
      }),
    });
    timeline = new Timeline(system);
    await Promise.all(Array.from({ length: USERS }, (_, user) => tell(`user ${user}`)));
  });
  afterAll(async () => {
    await system?.close();
    await models?.close();
  });

  const tell = async (userId: string) => {
    for (const [day, place] of [['2026-03-10', 0] as const, ['2026-04-10', 1] as const]) {
      for (const pair of PAIRS) await timeline.say(userId, day, pair[place]);
    }
  };
  const listCurrent = async (userId: string) =>
    (await timeline.listAll(userId)).filter(({ valid_to }) => valid_to === null).map(({ content }) => content);

  it('loses no number, name or negation, and each wrong closing can be undone', async () => {
    expect(wrongAnswers).toBeGreaterThanOrEqual(5);
    expect(decided.same).toBeGreaterThan(0);
    let undone = 0;
    for (let user = 0; user < USERS; user += 1) {
      const userId = `user ${user}`;
      const told = PAIRS.flat();
      const stored = await timeline.listAll(userId);
      expect(stored.map(({ content }) => content).toSorted()).toEqual(told.toSorted());
      for (const closed of stored.filter(({ valid_to }) => valid_to !== null)) {
        const { superseded_by: successor } = closed;
        await timeline.client.must('undoMemory', { params: { id: closed.id } });
        await timeline.client.must('restoreMemory', { params: { id: successor! } });
        undone += 1;
      }
      expect((await listCurrent(userId)).toSorted()).toEqual(told.toSorted());
    }
    expect(undone).toBe(decided.replaces);
  });
});
