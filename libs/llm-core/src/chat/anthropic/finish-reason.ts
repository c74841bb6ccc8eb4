import type { StopReason } from '@anthropic-ai/sdk/resources/messages';

/** Why an answer ended, as OpenAI has it. What was paused can be continued, like what was cut off. */
export function translateStopReason(reason: StopReason | null, usesFunctions: boolean): string {
  switch (reason) {
    case 'tool_use':
      return usesFunctions ? 'function_call' : 'tool_calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
    case 'pause_turn':
      return 'length';
    case 'refusal':
      return 'content_filter';
    default:
      return 'stop';
  }
}

/** The words of a refusal: the provider’s, if it gave any. */
export function describeRefusal(explanation: string | null | undefined): string {
  return explanation ?? 'The model refused to answer.';
}
