/** English words that do not indicate the topic of a text, as they look after `splitWords` (without apostrophes). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are am as at be been being but by can could did do does doing for from had has have having he her hers him his how i ' +
    'if in into is it its me my of on or our ours she should so than that the their theirs them then there these they this those ' +
    'to too us was we were what when where which who whom whose why will with would you your yours ' +
    'dont doesnt didnt im ive id ill youre youve hes shes theyre weve isnt arent wasnt werent cant couldnt wont wouldnt thats whats'
  ).split(' '),
);

/** Zero to twelve; the index of a word is its value. */
export const NUMBER_WORDS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** January first. */
export const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');
