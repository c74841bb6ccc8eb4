export { purgeEvents } from './purge-events.js';
export { countEvents, type EventView, listEvents } from './read-events.js';
export { LATEST_TALE_MS, type NewEvent, recordEvents } from './record-events.js';
