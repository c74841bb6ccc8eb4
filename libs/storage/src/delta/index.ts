export { threadExists, type ListedChange, listThreadChanges, type ChangeListQuery } from './list-thread-changes.js';
export { readThreadChanges, type ThreadChanges, type ThreadChangesQuery } from './read-thread-changes.js';
