import type { Sliced } from '../text/sliced.js';
import { resolveIdentifier } from './identifier-subject.js';
import { resolveName } from './name-subject.js';
import type { ForgetRequest } from './read-request.js';
import { resolveRelation } from './relation-subject.js';
import { readStatementSubject } from './statement-subject.js';
import { NO_MENTIONS, type Resolution, type SearchedText, type Subject } from './subject.js';

/** What a request means among the texts of a user, or which of several things it could mean. */
export function* resolveSubject(request: ForgetRequest, texts: readonly SearchedText[]): Sliced<Resolution> {
  switch (request.kind) {
    case 'statement':
      return { outcome: 'found', subject: readStatementSubject(request.said) ?? NOTHING };
    case 'identifier':
      return yield* resolveIdentifier(request, texts);
    case 'placeholder':
      return { outcome: 'found', subject: findLiterally(request.placeholder) };
    case 'relation':
      return yield* resolveRelation(request, texts);
    case 'name':
      return yield* resolveName(request.name, texts);
  }
}

const NOTHING: Subject = { findMentions: () => NO_MENTIONS };

function findLiterally(words: string): Subject {
  return {
    findMentions: ({ text }) => {
      const sure = [];
      for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
        sure.push({ start: at, end: at + words.length });
      }
      return { sure, other: null };
    },
  };
}
