export { eraseUser, type EraseUserResult, type ErasureCommand } from './erase-user.js';
export { exportUser } from './export-user.js';
export { forgetConversation } from './forget-conversation.js';
