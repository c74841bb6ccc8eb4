import { splitCompound } from '@annals/english';

/**
 * The statements of a compound one that can each end alone ("Ana works at Zeiss and plays chess."), with a full stop; the
 * statement itself when it cannot be divided surely.
 */
export function splitStatement(content: string): readonly string[] {
  const parts = splitCompound(content.trim().replace(/\.$/u, ''));
  return parts.length === 1 ? [content] : parts.map((part) => `${part}.`);
}
