export { isThread, type ListedChange, listThreadChanges, type ChangeListQuery } from './list-thread-changes.js';
export { readThreadChanges, type ThreadChanges, type ThreadWindow } from './read-thread-changes.js';
