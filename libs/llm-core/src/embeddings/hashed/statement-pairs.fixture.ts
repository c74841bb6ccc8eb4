/** Pairs of statements, labelled by the relation of the second to the first, for calibrating similarity bands. */
export const STATEMENT_PAIRS = {
  /** The same statement in other words. */
  rewording: [
    ['The user lives in Berlin.', 'The user is living in Berlin.'],
    ['The user lives in Berlin.', 'The user lives in Berlin now.'],
    ['The user likes jazz.', 'The user really likes jazz.'],
    ['The user works as a nurse.', 'The user is working as a nurse.'],
    ['The user has a dog named Rex.', 'The user has a dog called Rex.'],
    ['The user plays tennis every Sunday.', 'Every Sunday the user plays tennis.'],
    ['The user is allergic to peanuts.', 'The user has an allergy to peanuts.'],
    ['Ana loves hiking in the Alps.', 'Ana enjoys hiking in the Alps.'],
    ['The user wants to learn Spanish.', 'The user would like to learn Spanish.'],
    ['The user drinks coffee in the morning.', 'The user drinks coffee every morning.'],
  ],
  /** Both cannot hold at the same time: the second supersedes the first. */
  changed: [
    ['The user lives in Berlin.', 'The user lives in Munich.'],
    ['The user lives in Berlin.', 'The user moved to Munich.'],
    ['The user works as a nurse.', 'The user works as a teacher.'],
    ['The user loves pizza.', 'The user hates pizza.'],
    ['The user is single.', 'The user is married.'],
    ['The user plans to run a marathon in May.', 'The user gave up the plan to run a marathon.'],
    ['The user drives a Volvo.', 'The user sold the Volvo.'],
    ['The user takes the bus to work.', 'The user takes the train to work.'],
    ['The user wants to become a pilot.', 'The user no longer wants to become a pilot.'],
    ['The user prefers tea over coffee.', 'The user prefers coffee over tea.'],
    ['The user goes to the gym twice a week.', 'The user goes to the gym four times a week.'],
    ['The meeting with Tom is on Monday.', 'The meeting with Tom was moved to Friday.'],
    ['The user studies biology.', 'The user studies medicine.'],
    ['The user uses an iPhone.', 'The user switched to an Android phone.'],
    ['The user is vegan.', 'The user eats meat again.'],
  ],
  /** Both hold, and are related. */
  related: [
    ['The user loves pizza.', 'The user loves pasta.'],
    ['The user has a dog named Rex.', 'The user takes Rex to the park.'],
    ['The user lives in Berlin.', 'The user visited Berlin in 2025.'],
    ['The user works as a nurse.', 'The user works night shifts at the hospital.'],
    ['The user has a daughter named Mia.', 'Mia plays the violin.'],
    ['The user has a daughter named Mia.', 'The user has a son named Tom.'],
    ['The user loves hiking.', 'The user hiked in the Alps last summer.'],
    ['The user likes jazz.', 'The user plays jazz piano.'],
    ['The user plays tennis.', 'The user plays football.'],
    ['The user’s sister lives in Rome.', 'The user visited their sister in Rome.'],
    ['The user is learning Spanish.', 'The user travelled to Spain.'],
  ],
  /** Unrelated statements. */
  unrelated: [
    ['The user lives in Berlin.', 'The user loves pizza.'],
    ['The user works as a nurse.', 'The user has a dog named Rex.'],
    ['The user is vegan.', 'The user plays chess.'],
    ['The user likes jazz.', 'The user drives a Volvo.'],
    ['Ana loves hiking.', 'Ana is married.'],
    ['The user has two children.', 'The user studies medicine.'],
    ['The user prefers tea over coffee.', 'The user goes to the gym twice a week.'],
    ['The user was born in Leipzig.', 'The user wants to become a pilot.'],
  ],
} as const satisfies Record<string, readonly (readonly [string, string])[]>;
