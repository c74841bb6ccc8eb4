import { watch } from 'node:fs';

export interface FolderWatch {
  close(): void;
}

/**
 * Watches one folder, without those in it. `onEvent` gets the name of what changed in it, or the folder's own name when that was
 * moved or removed; null: something.
 * @throws what the system throws, as ENOSPC when no more folders can be watched
 */
export type WatchFolder = (
  place: string,
  onEvent: (name: string | null) => void,
  onError: (error: Error) => void,
) => FolderWatch;

export const watchFolder: WatchFolder = (place, onEvent, onError) =>
  watch(place, { persistent: false }, (_type, name) => onEvent(name)).on('error', onError);
