import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import { extractSlot } from './extract-slot.js';
import { isContradiction } from './slot.js';

const slotOf = (content: string) => extractSlot({ content, type: 'semantic' });

function contradicts(earlier: string, later: string): boolean {
  const [a, b] = [slotOf(earlier), slotOf(later)];
  return a !== null && b !== null && isContradiction(a, b);
}

describe('slots, without a model:', () => {
  it.each([
    ['The user lives in Berlin.', 'The user lives in Munich.'],
    ['The user lives in Berlin.', 'The user moved to Munich in April 2026.'],
    ['The user moved to Hamburg.', 'The user is living in London now.'],
    ['The user lives in Berlin with their wife.', 'The user relocated to Vienna for work.'],
    ['The user lives with their parents in Graz.', 'The user and their wife live in Bonn.'],
    ['The user lives in Berlin.', 'The user no longer lives in Berlin.'],
    ['The user lives in Lyon.', 'The user used to live in Lyon.'],
    ['The user moved to France.', 'The user moved to Italy.'],
    ['Ana lives in Lisbon', 'Ana moved from Lisbon to Porto'],
    ["The user's mother lives in Rome.", "The user's mother moved to Milan."],
    ['The user works as a nurse.', 'The user works as a teacher.'],
    ['The user works at Siemens.', 'The user now works as a developer at SAP.'],
    ['The user works for BMW as an engineer.', 'The user started a new job as a teacher.'],
    ['The user is a nurse.', 'The user is a teacher now.'],
    ['The user works at Siemens.', 'The user quit their job at Siemens.'],
    ['The user works as a nurse.', 'The user is unemployed.'],
    ['The user is unemployed.', 'The user started working at Bosch.'],
    ['The user loves pizza.', 'The user hates pizza now.'],
    ['The user really likes pizza a lot.', 'The user does not like pizza anymore.'],
    ['The user hates olives.', 'The user loves olives.'],
    ['The user loves eating pizza.', 'The user cannot stand pizza.'],
    ['The user is single.', 'The user got married in May 2026.'],
    ['The user is vegetarian.', 'The user is not vegetarian anymore.'],
    ['The user is 34 years old.', 'The user turned 35 on 9 May 2026.'],
    ['The user has two children.', 'The user has 3 kids.'],
    ["The user's favorite color is blue.", "The user's favourite colour is green."],
    ['The user weighs 80 kg.', 'The user weighs 78 kg.'],
    ['The user is allergic to peanuts.', 'The user is no longer allergic to peanuts.'],
    ['The user plays chess every Friday.', 'The user quit chess.'],
    ['The user has a gym membership.', "The user cancelled the user's gym membership."],
    ['The user works at Zeiss.', 'The user left Zeiss.'],
    ['The user plays the cello.', 'The user plays the viola, not the cello.'],
    ['The user lives in Malmo.', 'The user lives in Lund, not Malmo.'],
    ["Ana's manager is Li.", "Ana's manager is Sam."],
    ['The staging server is eu-3.', 'The staging server is now us-1.'],
    ['The search service is down.', 'The search service is back up.'],
    ['The user trains on Mondays.', 'The user trains on Fridays now.'],
    ['Another participant (U0423) lives in Berlin.', 'Another participant (U0423) lives in Paris.'],
    ["Another participant (U0423)'s mother lives in Rome.", "Another participant (U0423)'s mother moved to Milan."],
    ['The user has a roommate.', "The user's roommate moved out."],
    ['The user has a dog.', "The user's dog ran away."],
    ['The user has a horse.', "The user's horse died in May 2026."],
    ['The user has a meeting with Lea on Friday.', "The user cancelled the user's meeting with Lea."],
    ['The user has a gym membership.', 'The user cancelled the gym membership on 22 November 2026.'],
    ['The user has a trip to Oslo.', "The user's trip to Oslo is cancelled because of rain."],
    ['The user sings in the choir.', 'The user left the choir.'],
    ['Ana has a horse.', 'Ana sold her horse.'],
    ['Ana has a horse.', "Ana sold Ana's horse."],
    ['The user has a boat.', 'The user sold their boat.'],
    ["The user walks Ben's dog.", "The user no longer walks Ben's dog."],
    ["The user's sister is learning French.", "The user's sister stopped learning French."],
  ])('“%s” is ended by “%s”', (earlier, later) => {
    expect(contradicts(earlier, later)).toBe(true);
  });

  it.each([
    // Other people, or people who cannot be distinguished.
    ['Another participant (U0423) lives in Berlin.', 'Another participant (U0777) lives in Paris.'],
    ['Another participant lives in Berlin.', 'Another participant lives in Paris.'],
    ['The user lives in Berlin.', "The user's sister lives in Munich."],
    ["The user's sister lives in Berlin.", "The user's sister lives in Munich."],
    ["The user's brother works at Siemens.", "The user's brother works at Bosch."],
    ["The user's friend Tom lives in Rome.", "The user's friend Eva lives in Bonn."],
    ['Ana lives in Lisbon.', 'Bruno lives in Porto.'],
    ['He lives in Berlin.', 'He lives in Munich.'],
    ['The user loves pizza.', "The user's brother hates pizza."],
    ['My friend lives in Rome.', 'My friend lives in Oslo.'],
    // Two of a kind.
    ['The user has a daughter named Mia.', 'The user has a son named Tom.'],
    ["The user's son Tom is 5 years old.", "The user's son Ben is 7 years old."],
    ["The user's hobby is chess.", "The user's hobby is painting."],
    ['The user loves hiking.', 'The user loves swimming.'],
    ['The user has two cats.', 'The user has three dogs.'],
    ['The user works at Siemens.', 'The user also works at a bar.'],
    ['The user works as a nurse.', 'The user works as a waiter on weekends.'],
    ['The user lives in Berlin.', 'The user lives in Munich during the week.'],
    ['The user lives in Berlin.', 'The user lives in Berlin and Munich.'],
    // The past, plans and visits.
    ['The user lives in Berlin.', 'The user visited Munich in 2025.'],
    ['The user lives in Berlin.', 'The user was born in Leipzig.'],
    ['The user lives in Berlin.', 'The user grew up in Cologne.'],
    ['The user lives in Berlin.', 'The user is from Spain.'],
    ['The user lives in Berlin.', 'The user is going to move to Oslo in May 2026.'],
    ['The user lives in Berlin.', 'The user wants to move to Oslo.'],
    ['The user lives in Berlin.', 'The user used to live in Lyon.'],
    ['The user lives in Berlin.', 'The user would live in Rome if they could.'],
    // The same meaning in other words, or with more detail.
    ['The user lives in Berlin.', 'The user lives in Berlin, Germany.'],
    ['The user lives in Berlin.', 'The user lives in East Berlin.'],
    ['The user lives in Berlin.', 'The user lives in Germany.'],
    ['The user works as a developer.', 'The user works as a software developer at SAP.'],
    ['The user works at Siemens.', 'The user works as a nurse.'],
    ['The user loves pizza.', 'The user likes pizza.'],
    ["The user's name is Ana.", "The user's name is Ana Silva."],
    // The same words, but more or less of it, or others of its kind.
    ['The user plays chess.', 'The user no longer plays chess on Mondays.'],
    ['The user trains on Mondays.', 'The user trains on Fridays.'],
    ['The user watches tennis.', 'The user quit tennis.'],
    ['The user has a garden.', 'The user does not have a gardener anymore.'],
    ['The staging server is eu-3.', 'The staging server is down.'],
    ['The staging server is eu-3.', 'The production server is eu-5.'],
    ['The user has a meeting with Lea.', "The user's meeting with Tom is cancelled."],
    ["The user's sister is 30 years old.", "The user's sister is 27 years old."],
    ['The user plays chess.', 'The user would stop playing chess if Tom left.'],
    ['The user trains on Mondays.', 'The user now also trains on Fridays.'],
    ['The user drives a Golf.', 'The user drives a Corolla too now.'],
    ['The user has a son.', "The user's son moved out."],
    ['The user has a sister.', "The user's sister ran away."],
    ['The user has a dog.', "The user's dog is cured."],
    ['The user has a yoga class every Monday.', "The user's yoga class is cancelled on 23 November 2026."],
    ['The user has a yoga class on Mondays.', 'The user cancelled the yoga class on Friday.'],
    ['The user goes to the gym.', 'The user left the gym at 6 pm.'],
    ['The user sings in the choir.', 'The user left the choir at 9.'],
    ['The user is a member of the club.', 'The user left the club early on 3 May.'],
    // What others have.
    ['The user has a laptop.', "The user returned Ben's laptop."],
    ['The user has a gym membership.', "The user cancelled Mia's gym membership."],
    ['The user has a boat.', 'The user sold his boat.'],
    // Unrelated attributes.
    ['The user lives in Berlin.', 'The user moved to Marketing.'],
    ['The user lives in Berlin.', 'The user moved to Linux.'],
    ['The user lives in Berlin.', 'The user moved to TypeScript.'],
    ['The user lives in Berlin.', 'The user lives in peace.'],
    ['The user works at Siemens.', 'The user works at night.'],
    ['The user works at Siemens.', 'The user works from home.'],
    ['The user loves hiking.', 'The user hates hiking in winter.'],
    ['The user loves pizza.', 'The user hates pizza with pineapple.'],
    ['The user loves pizza.', 'The user hates pizza and pasta.'],
    ['The user is a nurse.', 'The user is a mother.'],
    ['The user is married.', 'The user is tired.'],
    ['The user has two children.', 'The user has two exams.'],
  ])('“%s” is not ended by “%s”', (earlier, later) => {
    expect(contradicts(earlier, later)).toBe(false);
    expect(contradicts(later, earlier)).toBe(false);
  });

  it('the employer of a new job, stated later, is part of it', () => {
    expect(contradicts('The user started a new job as a teacher.', 'The user works at the Goethe school.')).toBe(false);
    expect(contradicts('The user works at the Goethe school.', 'The user started a new job as a teacher.')).toBe(true);
  });

  const names = fc.constantFrom('The user', 'Ana', 'Bruno', 'Caroline', "The user's mother");
  const predicates = fc.constantFrom(
    'lives in Berlin.',
    'moved to Munich.',
    'works as a nurse.',
    'works at Siemens.',
    'loves pizza.',
    'hates pizza.',
    'is single.',
    'is 34 years old.',
    'has two children.',
    'is vegan.',
    'is allergic to peanuts.',
    'is no longer allergic to peanuts.',
    'plays tennis.',
    'quit tennis.',
    'stopped playing tennis.',
    'owns a boat.',
    'sold the boat.',
    'trains on Mondays.',
    'trains on Fridays now.',
    'left Siemens.',
  );

  it('a statement about one person never ends a statement about another', () => {
    fc.assert(
      fc.property(names, names, predicates, predicates, (a, b, first, second) => {
        fc.pre(a !== b);
        expect(contradicts(`${a} ${first}`, `${b} ${second}`)).toBe(false);
      }),
    );
  });

  it('a statement never ends itself', () => {
    fc.assert(
      fc.property(names, predicates, (name, predicate) => {
        expect(contradicts(`${name} ${predicate}`, `${name} ${predicate}`)).toBe(false);
      }),
    );
  });

  it('any text is parsed', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => slotOf(text) !== undefined));
  });

  // Longer statements than 160 units are not parsed: the longest of these have 16 repetitions.
  it.each([
    (times: number) => `The user lives ${'in the '.repeat(times)}`,
    (times: number) => `The user ${'really '.repeat(times)}works as ${'a '.repeat(times / 2)}`,
    (times: number) => `The user lives ${'a '.repeat(4 * times)}in Berlin`,
    (times: number) => `The user no longer ${'plays '.repeat(times)}${'a-1.'.repeat(times / 2)}`,
    (times: number) => `The ${'a '.repeat(4 * times)}is ${'1 '.repeat(times / 2)}`,
    (times: number) => `The user sold ${"the user's ".repeat(0.75 * times)}`,
  ])('a statement like that of %s is parsed in linear time', (make) => {
    expect(measureCpuGrowth((times) => slotOf(make(times)), 16)).toBeLessThan(MAX_LINEAR_GROWTH);
  });

  it('a very long text is refused in linear time', () => {
    const parse = (times: number) => slotOf(`The user lives ${'in the '.repeat(times)}`);
    expect(measureCpuGrowth(parse, 3_000)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
