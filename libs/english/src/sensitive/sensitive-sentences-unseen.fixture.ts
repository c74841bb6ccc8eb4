import type { SensitiveSentences } from './sensitive-sentences.fixture.js';

/** Written with the others and left alone until the rules were done. */
export const UNSEEN_SENSITIVE_SENTENCES: SensitiveSentences = {
  health: {
    sensitive: [
      'The user lives with diabetes and plans meals early.',
      'Ana has chronic back pain that spoils long meetings.',
      'Seems to be suffering from insomnia.',
      'Ben uses a wheelchair and asks about ramps.',
      'The user had a miscarriage and avoids baby showers.',
      'Mentions chemotherapy with humour.',
    ],
    harmless: [
      'The user thinks the release process needs surgery.',
      'Ana is blind to typos in her own texts.',
      'Doubts the health of the codebase.',
      'Ben suffers from poor documentation in the old module.',
      'The user treats guests to home-made cake.',
      'Prefers to rip the plaster off and tell bad news first.',
    ],
  },
  faith: {
    sensitive: [
      'The user is a Buddhist and meditates at the temple.',
      'Ana reads the Quran at lunch.',
      'Is spiritual but not religious.',
      'Ben was baptised as an adult.',
      'The user sings in the mosque choir.',
      'Feels guilty for skipping Mass.',
    ],
    harmless: [
      'The user keeps faith with deadlines.',
      'Ana lent a book and misses it.',
      'Thinks tabs versus spaces is a religious war.',
      'Ben hopes for an angel investor.',
      'The user looks forward to Christmas dinner.',
      'Calls the old server a sacred cow.',
    ],
  },
  politics: {
    sensitive: [
      'The user is a Republican.',
      'Ana donates to a left-wing party.',
      'Is angry about the prime minister’s asylum policy.',
      'Ben describes himself as a feminist activist.',
      'The user is afraid of how the parliament votes on gun control.',
      'Sympathises with communism.',
    ],
    harmless: [
      'The user prefers democratic decisions in the team.',
      'Ana was elected employee of the month.',
      'Is diplomatic with difficult customers.',
      'Ben joined a credit union to save.',
      'The user votes for pizza at every team lunch.',
      'Runs the party games at the office.',
    ],
  },
  sexuality: {
    sensitive: [
      'The user is a lesbian and careful about whom she tells.',
      'Ana is dating a woman for the first time.',
      'Seems asexual and tired of questions.',
      'Ben belongs to the LGBTQ network at work.',
      'The user watches porn at night.',
      'Is in the closet at work.',
    ],
    harmless: [
      'The user keeps old laptops in the closet.',
      'Ana is intimate with every corner of the codebase.',
      'Has an affair of the heart with jazz pianos.',
      'Ben flirts with the idea of a sabbatical.',
      'The user prefers dating apps for wine tastings to be honest about prices.',
      'Goes straight to the point.',
    ],
  },
  origin: {
    sensitive: [
      'The user is Latina and often the only one in the room.',
      'Ana was born in Syria.',
      'As a German, Ben likes punctual starts.',
      'Belongs to the Roma minority.',
      'The user fears questions about nationality.',
      'Is of mixed race and talks about it openly.',
    ],
    harmless: [
      'The user likes the English breakfast at the hotel.',
      'Ana migrated the blog to a new host.',
      'Enjoys watching the Grand Prix race.',
      'Ben reads French novels in the original.',
      'The user was born in 1990 and jokes about it.',
      'Gets on well with the French team.',
    ],
  },
};
