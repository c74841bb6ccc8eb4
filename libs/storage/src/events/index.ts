export { MAX_EVENT_DELAY_MS, type NewEvent, purgeEvents, recordEvents } from './record-events.js';
export { countEvents, type EventView, listEvents } from './read-events.js';
