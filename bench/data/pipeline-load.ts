/** The load of the pipeline, and of another product that is measured beside it: the same conversations in the same order. */
export const SEED = 11;
export const USERS = 200;
/** How many clients post at a time. */
export const CLIENTS = 16;
