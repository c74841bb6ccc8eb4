import { resolveIdentifier } from './identifier-subject.js';
import { resolveName } from './name-subject.js';
import type { ForgetRequest } from './read-request.js';
import { resolveRelation } from './relation-subject.js';
import { readStatementSubject } from './statement-subject.js';
import { NO_MENTIONS, type Resolution, type Subject, type WalkTexts } from './subject.js';

/** What a request means among the texts of a user, or which of several things it could mean. */
export async function resolveSubject(request: ForgetRequest, walk: WalkTexts): Promise<Resolution> {
  switch (request.kind) {
    case 'statement':
      return { outcome: 'found', subject: readStatementSubject(request.said) ?? NOTHING };
    case 'identifier':
      return resolveIdentifier(request, walk);
    case 'placeholder':
      return { outcome: 'found', subject: findLiterally(request.placeholder) };
    case 'relation':
      return resolveRelation(request, walk);
    case 'name':
      return resolveName(request.name, walk);
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
