/** An earlier and a newer insight, and what the newer one does to the earlier one. Written before the rules. */
export const INSIGHT_PAIRS: readonly (readonly [earlier: string, newer: string, verdict: string])[] = [
  // The same again.
  ['The user prefers short answers.', 'The user prefers brief answers.', 'repeats'],
  ['Ana prefers short answers.', 'Prefers concise answers.', 'repeats'],
  ['The user dislikes long answers.', 'The user prefers short answers.', 'repeats'],
  [
    'Mentions deadlines again and again, on 3 days in May 2026.',
    'Mentions deadlines again and again, on 5 days from May 2026 to June 2026.',
    'repeats',
  ],
  [
    'The user trusts the assistant more after it was corrected.',
    'The user trusts the assistant more after corrections.',
    'repeats',
  ],
  ['The user is anxious before presentations.', 'The user feels nervous before a presentation.', 'repeats'],
  ['Ana is not patient with slow tools.', 'Ana is impatient with slow tools.', 'repeats'],
  ['The user enjoys planning trips with Lena.', 'The user loves planning trips with Lena.', 'repeats'],
  ['Sounded worse on 25 May 2026 than before.', 'Sounded worse on 2 June 2026 than before.', 'repeats'],
  ['The user is confident about releases.', 'The user is sure about releases.', 'repeats'],
  // The opposite.
  ['The user prefers short answers.', 'The user prefers detailed answers.', 'contradicts'],
  ['The user trusts automatic merges.', 'The user distrusts automatic merges.', 'contradicts'],
  ['Ana is calm before presentations.', 'Ana is nervous before presentations.', 'contradicts'],
  ['The user likes surprises from the team.', 'The user does not like surprises from the team.', 'contradicts'],
  ['The user no longer enjoys stand-ups.', 'The user enjoys stand-ups.', 'contradicts'],
  ['Sounded worse on 25 May 2026 than before.', 'Sounded better on 9 June 2026 than before.', 'contradicts'],
  ['The user is optimistic about the merger.', 'The user is pessimistic about the merger.', 'contradicts'],
  ['The user works best in the morning.', 'The user works best in the evening.', 'contradicts'],
  ['Shows less patience with reviews.', 'Shows more patience with reviews.', 'contradicts'],
  ['The user is motivated by the thesis.', 'The user is bored by the thesis.', 'contradicts'],
  // Something else.
  ['The user prefers short answers.', 'The user prefers window seats.', 'apart'],
  ['The user is anxious before presentations.', 'The user is anxious before flights.', 'apart'],
  [
    'Mentions deadlines again and again, on 3 days in May 2026.',
    'Mentions rent again and again, on 3 days in May 2026.',
    'apart',
  ],
  ['The user trusts Lena with money.', 'The user trusts Tom with money.', 'apart'],
  ['The user enjoys cooking.', 'The user enjoys chess.', 'apart'],
  ['The user likes short answers.', 'The user likes long walks.', 'apart'],
  ['The user is proud of the thesis.', 'The user worries about the rent.', 'apart'],
  ['Shows more trust in the assistant.', 'Shows more interest in pottery.', 'apart'],
  ['The user is confident about releases.', 'The user is unsure about the budget.', 'apart'],
  ['The user likes morning runs.', 'The user dislikes evening meetings.', 'apart'],
];
