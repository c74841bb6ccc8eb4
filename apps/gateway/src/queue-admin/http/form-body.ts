import type { FastifyInstance } from 'fastify';

/** Of the forms of these pages: a key or a token, and a number. */
const MAX_FORM_BYTES = 4_096;

/** The pages of the queue UI take forms and nothing else. The first of two fields of a name counts. */
export function registerFormParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    async (_request: unknown, body: string) => Object.fromEntries([...new URLSearchParams(body)].toReversed()),
  );
}
