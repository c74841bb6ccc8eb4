import { findSensitiveSubjects, SENSITIVE_SUBJECTS } from './find-sensitive-subjects.js';
import { SENSITIVE_SENTENCES } from './sensitive-sentences.fixture.js';
import { UNSEEN_SENSITIVE_SENTENCES } from './sensitive-sentences-unseen.fixture.js';

const CORPORA = [SENSITIVE_SENTENCES, UNSEEN_SENSITIVE_SENTENCES];

describe('findSensitiveSubjects', () => {
  describe.each(SENSITIVE_SUBJECTS)('of %s', (subject) => {
    it.each(CORPORA.flatMap((corpus) => corpus[subject].sensitive))('finds it in: %s', (sentence) => {
      expect(findSensitiveSubjects(sentence)).toContain(subject);
    });

    it.each(CORPORA.flatMap((corpus) => corpus[subject].harmless))('finds nothing in: %s', (sentence) => {
      expect(findSensitiveSubjects(sentence)).toEqual([]);
    });
  });
});
