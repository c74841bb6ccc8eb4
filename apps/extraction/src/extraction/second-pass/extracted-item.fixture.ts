import type { ExtractedItem } from '@annals/contracts';

/** A memory of one message. */
export const item = (content: string, messageId: string, more: Partial<ExtractedItem> = {}): ExtractedItem => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 2,
  evidence: [{ message_id: messageId, quote: 'x' }],
  ...more,
});
