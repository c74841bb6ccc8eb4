/** What somebody says on three days: enough for an insight, and for a summary that is shorter. */
export const RECURRING_DEADLINES = [
  [
    '2026-05-04',
    'The deadline for the audit was moved up again, so I sat over the tables until late in the evening and missed the ' +
      'rehearsal of the choir that I had been looking forward to.',
  ],
  [
    '2026-05-06',
    'Another deadline at work, the third this month: the translation of the manual has to be done by Friday, although the ' +
      'pictures for the second chapter are still with the printers.',
  ],
  [
    '2026-05-11',
    'I missed the deadline for the slides, since nobody had told me that the meeting was a day earlier, and the room with ' +
      'the large screen was taken by another team.',
  ],
] as const;
