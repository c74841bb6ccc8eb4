export { purgeEvents } from './purge-events.js';
export { countEvents, type EventView, listEvents } from './read-events.js';
export { MAX_EVENT_DELAY_MS, type NewEvent, recordEvents } from './record-events.js';
