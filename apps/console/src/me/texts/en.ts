import type { Proposal } from '@annals/sdk';

/** Texts of a person's page, in plain words. Other languages have the same keys. */
export const en = {
  title: 'What is remembered about you',
  intro: 'An assistant remembers this, so that you need not say it again. You can correct it, or have it forgotten.',
  language: 'Language',
  loading: 'One moment …',
  errors: {
    changed: 'It was changed meanwhile. Load the page again.',
    wording: 'Write it in other words.',
    later: 'Too much at once. Try again in a moment.',
    other: 'This did not work. Try again, or load the page again.',
  },
  closed: {
    title: 'This link cannot be opened',
    text: 'A link works once, for a short time, and on one device. Ask for a new one where you got it.',
  },
  later: {
    title: 'The page cannot be opened now',
    text: 'The connection failed, or too many pages are opened at once. Your link is still good.',
    again: 'Try again',
  },
  leave: 'Close the page',
  left: { title: 'The page is closed', text: 'Ask for a new link to come back.' },
  memories: {
    title: 'About you',
    who: '“The user” is you.',
    none: 'Nothing is remembered about you.',
    more: 'Show more',
    since: 'since {{day}}',
    why: 'Where is this from?',
    said: '{{who}} said on {{day}}:',
    you: 'You',
    assistant: 'The assistant',
    gone: 'The words are gone.',
    manual: 'It was written by hand.',
    derived: 'It follows from:',
    correct: 'Correct',
    corrected: 'What is true instead?',
    save: 'Save',
    cancel: 'Cancel',
    forget: 'Forget',
    forgetSure: 'Forget this?',
    yes: 'Yes, forget it',
    forgotten: 'Forgotten.',
    back: 'Bring it back',
    saved: 'It is corrected.',
    restored: 'It is back.',
  },
  proposals: {
    title: 'Is this right?',
    none: 'Nothing is waiting for your answer.',
    set: 'From what you said: {{field}} – {{value}}',
    accept: 'Yes',
    reject: 'No',
    answered: 'Your answer is noted.',
    fields: {
      preferred_name: 'your name',
      pronouns: 'your pronouns',
      city: 'your city',
      language: 'your language',
      tone: 'how to talk to you',
      goals_add: 'your goals',
    } satisfies Record<Proposal['field'], string>,
  },
  insights: {
    title: 'Conclusions about you',
    switch: 'Draw conclusions about me',
    explain: 'Conclusions are drawn from several things that you said. Without them, only what you said is remembered.',
    none: 'No conclusions were drawn.',
  },
  data: {
    title: 'Your data',
    download: 'Download everything',
    erase: 'Erase everything',
    eraseSure: 'Everything about you will be erased: what is remembered, and what you said. It cannot be undone.',
    eraseYes: 'Yes, erase everything for good',
    erased: 'Everything about you was erased on {{day}}. The number of your receipt is {{id}}.',
  },
};

/** `{ a: string }` for each branch, whatever the words are. */
type Words<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Words<T[Key]> };
export type Texts = Words<typeof en>;
