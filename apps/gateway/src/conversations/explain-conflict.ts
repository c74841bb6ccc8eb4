import { ProblemError } from '@annals/contracts';
import { MessageConflictError } from '@annals/storage';

/** Names the message whose id was used before. */
export function explainConflict(error: unknown): never {
  if (!(error instanceof MessageConflictError)) throw error;
  const path = `body.messages[${error.index}].id`;
  throw new ProblemError('message_conflict', `${path} was already used for other content: send a new id.`, {
    errors: [{ path, message: 'This id was already used for a message with other content.' }],
  });
}
