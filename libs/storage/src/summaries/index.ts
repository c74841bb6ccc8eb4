export { askForSummaries, findConversationOfBatch } from './ask-for-summaries.js';
export {
  loadCitedMessages,
  loadSummarizableMessages,
  loadSummarySentences,
  loadSummarySubject,
  type SummarizableMessage,
  type SummarySubject,
} from './load-summary-subject.js';
export { type ActivitySummary, type ActivityTurn, readRecentActivity } from './read-recent-activity.js';
export {
  findSummarizedThread,
  type ReadSummary,
  readSummaries,
  restoreSummary,
  type SummarizedThread,
  type SummaryRestoration,
} from './read-summaries.js';
export { lockConversation, type MadeSummary, writeSummaries } from './write-summaries.js';
