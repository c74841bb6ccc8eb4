export {
  acceptMessages,
  type AcceptMessagesInput,
  type NewMessage,
  type AcceptMessagesResult,
} from './accept-messages.js';
export { endConversation, type EndConversationResult } from './end-conversation.js';
export { MessageConflictError } from './find-new-messages.js';
export { getConversation } from './get-conversation.js';
