export { acceptMessages, type AcceptInput, type AcceptMessage, type AcceptOutcome } from './accept-messages.js';
export { endConversation, type EndedConversation } from './end-conversation.js';
export { MessageConflictError } from './find-unseen.js';
export { getConversation } from './get-conversation.js';
