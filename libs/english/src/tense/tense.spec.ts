import { opensAsCorrection } from './opens-as-correction.js';
import { isPresentTense } from './past-forms.js';
import { readEnding } from './read-ending.js';
import { speaksOfPast } from './speaks-of-past.js';

describe('readEnding', () => {
  it.each([
    ['is no longer allergic to peanuts', 'be allergic to peanuts', 'ending'],
    ['is not allergic to peanuts any more', 'be allergic to peanuts', 'ending'],
    ['is not vegan', 'be vegan', 'negation'],
    ['no longer plays chess', 'plays chess', 'ending'],
    ['does not play chess anymore', 'play chess', 'ending'],
    ['does not play chess', 'play chess', 'negation'],
    ['cannot eat dairy', 'eat dairy', 'negation'],
    ['can no longer eat dairy', 'eat dairy', 'ending'],
    ['has no garage any more', 'have garage', 'ending'],
    ['stopped playing chess', 'playing chess', 'ending'],
    ['quit smoking', 'smoking', 'ending'],
    ['gave up learning the guitar', 'learning the guitar', 'ending'],
    ['used to paint', 'paint', 'ending'],
  ])('reads %s', (predicate, ended, kind) => {
    expect(readEnding(predicate)).toEqual({ ended, kind });
  });

  it.each(['plays chess', 'is allergic to peanuts', 'wants to quit smoking', 'stopped at the station', 'did not go'])(
    'finds none in %s',
    (predicate) => {
      expect(readEnding(predicate)).toBeNull();
    },
  );
});

describe('speaksOfPast', () => {
  it.each([
    'The user lived in Faro back then.',
    "The user's landlord was Mr. Keller in 2015.",
    'The project lead was Oskar at that time.',
    'The user worked as a waiter until 2018.',
    'The user lived in Bonn when the user was a student.',
    'The user was single back then.',
    'The user was married until 2018.',
    "The user's sister lived in Faro back then.",
    'The user earned 3,000 euros a month in 2015.',
    'The user earned a salary of 50,000 in 2015.',
  ])('is true of: %s', (content) => {
    expect(speaksOfPast(content)).toBe(true);
  });

  it.each([
    'The user moved to Porto in 2015.',
    'The user was diagnosed with asthma in 2021.',
    'The user was born in Genoa.',
    'The user visited Galway in 2019.',
    'The user has been living in Oslo since 2019.',
    'The user lived in Faro.',
    "The user's car was stolen in 2020.",
    'The user lives in Porto.',
    'The user has worked as a nurse since graduating in 2015.',
    'The user has lived in Porto since moving there in 2019.',
    'Ana’s always worked as a nurse, as in 2015.',
    "We've lived in Porto, as in 2019.",
    'The user earned a PhD in 2019.',
    'The user earned $500 in a contest and a medal in 2019.',
    'The user was married in 2015.',
  ])('is false of: %s', (content) => {
    expect(speaksOfPast(content)).toBe(false);
  });
});

describe('opensAsCorrection', () => {
  it.each([
    'Actually, my sister is 31.',
    'Sorry, my cat is called Mira.',
    'I was wrong, it has three rooms.',
    'No wait, 5.',
  ])('is true of: %s', (sentence) => {
    expect(opensAsCorrection(sentence)).toBe(true);
  });

  it.each(['My sister is 31.', 'I am sorry for you.', 'We actually like it here.', 'Correct change only.'])(
    'is false of: %s',
    (sentence) => {
      expect(opensAsCorrection(sentence)).toBe(false);
    },
  );
});

describe('isPresentTense', () => {
  it.each([
    'Ana goes to the theatre.',
    'The user often works at night.',
    'Ana and Ben are at the fair.',
    'Ben will start at Acme.',
  ])('is true of %j', (content) => {
    expect(isPresentTense(content)).toBe(true);
  });

  it.each([
    'Ana went to the theatre.',
    'Ana has finished the report for Acme.',
    'Ana shrank the image.',
    'Lunch with Ben on 3 May 2025',
    'Ana fährt nach Rom.',
  ])('is false of %j', (content) => {
    expect(isPresentTense(content)).toBe(false);
  });
});
