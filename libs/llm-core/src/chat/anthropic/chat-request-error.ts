/** A request that cannot be translated. `param` names the field as OpenAI does: `messages[2].content[0]`. */
export class ChatRequestError extends Error {
  override readonly name = 'ChatRequestError';

  constructor(
    message: string,
    readonly param: string | null,
    readonly code: 'invalid_value' | 'unsupported_parameter' | 'missing_required_parameter',
  ) {
    super(message);
  }
}

export function unsupported(param: string, message: string): ChatRequestError {
  return new ChatRequestError(message, param, 'unsupported_parameter');
}

export function invalid(param: string, message: string): ChatRequestError {
  return new ChatRequestError(message, param, 'invalid_value');
}

export function missing(param: string): ChatRequestError {
  return new ChatRequestError(`${param} is missing: add it to the request.`, param, 'missing_required_parameter');
}
