import type { HistoryDraft } from '@annals/domain';

/** That something was deleted for good whose words the history does not have any more. */
export function draftPurge(id: string, reason: string): HistoryDraft {
  return { memoryId: id, event: 'PURGE', oldRef: null, newRef: null, content: '', meta: { reason } };
}

/** That a memory lost a source, or the words that it quotes. An undo has nothing to restore. */
export function draftLostSource({ id, content }: { readonly id: string; readonly content: string }): HistoryDraft {
  return {
    memoryId: id,
    event: 'UPDATE',
    oldRef: null,
    newRef: null,
    content,
    meta: { reason: 'source_forgotten', from: {} },
  };
}
