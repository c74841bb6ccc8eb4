export {
  acceptMessages,
  type AcceptMessagesInput,
  type AcceptMessagesResult,
  type NewMessage,
} from './accept-messages.js';
export { endConversation, type EndConversationResult } from './end-conversation.js';
export { MessageConflictError } from './plan-post.js';
export { getConversation } from './get-conversation.js';
