import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import { findSensitiveSubjects, SENSITIVE_SUBJECTS } from './find-sensitive-subjects.js';
import { SENSITIVE_SENTENCES } from './sensitive-sentences.fixture.js';
import { LAST_SENSITIVE_SENTENCES } from './sensitive-sentences-last.fixture.js';
import { LATER_SENSITIVE_SENTENCES } from './sensitive-sentences-later.fixture.js';
import { UNSEEN_SENSITIVE_SENTENCES } from './sensitive-sentences-unseen.fixture.js';

const CORPORA = [SENSITIVE_SENTENCES, UNSEEN_SENSITIVE_SENTENCES, LATER_SENSITIVE_SENTENCES, LAST_SENSITIVE_SENTENCES];

describe('findSensitiveSubjects', () => {
  describe.each(SENSITIVE_SUBJECTS)('of %s', (subject) => {
    it.each(CORPORA.flatMap((corpus) => corpus[subject].sensitive))('finds it in: %s', (sentence) => {
      expect(findSensitiveSubjects(sentence)).toContain(subject);
    });

    it.each(CORPORA.flatMap((corpus) => corpus[subject].harmless))('finds nothing in: %s', (sentence) => {
      expect(findSensitiveSubjects(sentence)).toEqual([]);
    });
  });

  it.each(['sick of ', 'has faith in the new ', 'votes for the ', 'a', 'grew up in A', 'of the of the ', '\u{1f600}'])(
    'takes linear time on %j repeated',
    (unit) => {
      const work = (size: number) => findSensitiveSubjects(unit.repeat(size / unit.length));
      expect(measureCpuGrowth(work, 10_000)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );
});
