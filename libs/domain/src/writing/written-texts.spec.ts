import { checkWriting } from './check-writing.js';
import { BAD_TEXTS, GOOD_TEXTS, LATER_BAD_TEXTS, LATER_GOOD_TEXTS } from './written-texts.fixture.js';

describe('texts that were written by hand', () => {
  it.each([...GOOD_TEXTS, ...LATER_GOOD_TEXTS])('are not warned about: $content', ({ content, type = 'semantic' }) => {
    expect(checkWriting({ content, type })).toEqual([]);
  });

  it.each([...BAD_TEXTS, ...LATER_BAD_TEXTS])(
    'are warned about as $violates: $content',
    ({ content, violates, type = 'semantic' }) => {
      expect(checkWriting({ content, type })).toEqual(violates);
    },
  );
});
