import { type ForgetRequest, readForgetRequest } from './read-request.js';

const describeRequest = (request: ForgetRequest | null): string => {
  if (request === null) return 'nothing';
  const words = (tokens: readonly { readonly raw: string }[]) => tokens.map(({ raw }) => raw).join(' ');
  switch (request.kind) {
    case 'statement':
      return `statement: ${request.said}`;
    case 'identifier':
      return `identifier: ${request.noun ?? '-'} ${request.id}`;
    case 'placeholder':
      return `placeholder: ${request.placeholder}`;
    case 'relation':
      return `relation: ${words(request.relation)} | ${words(request.name)}`;
    case 'name':
      return `name: ${words(request.name)}`;
  }
};

describe('a request to forget', () => {
  it.each([
    ['forget that I live in Lisbon', 'statement: I live in Lisbon'],
    ['Please forget that I live in Lisbon.', 'statement: I live in Lisbon'],
    ['Could you delete that my sister Ana is a nurse?', 'statement: my sister Ana is a nurse'],
    ['I live in Lisbon', 'statement: I live in Lisbon'],
    ["Forget that I'm allergic to nuts", "statement: I'm allergic to nuts"],
    ['my dog is called Rex', 'statement: my dog is called Rex'],
    ['Remove the fact that we moved in May', 'statement: we moved in May'],
    ['everything about my ex', 'relation: ex | '],
    ['Forget everything you know about my ex Tom', 'relation: ex | Tom'],
    ['all about our neighbour Dr. Ana Silva', 'relation: neighbour | Ana Silva'],
    ['anything about my best friend', 'relation: best friend | '],
    ['everything about Ana Silva', 'name: Ana Silva'],
    ['Forget Prof. Dr. Ana Silva', 'name: Ana Silva'],
    ['Lisbon', 'name: Lisbon'],
    ['everything about the surgery', 'name: surgery'],
    ['all that belongs to order 4711', 'identifier: order 4711'],
    ['everything related to orders #4711', 'identifier: order 4711'],
    ['everything about order number AB-12 34', 'identifier: order ab1234'],
    ['4711', 'identifier: - 4711'],
    ['flight TP 1234', 'identifier: flight tp1234'],
    ['everything about [email 7f3a9c21d04be5f8]', 'placeholder: [email 7f3a9c21d04be5f8]'],
    ['forget', 'nothing'],
    ['everything about my', 'nothing'],
  ])('"%s" is understood as %s', (text, expected) => {
    expect(describeRequest(readForgetRequest(text))).toBe(expected);
  });
});
