/**
 * The advisory lock that orders opening a reservation (shared) and raising the day's epoch (exclusive): a reservation is
 * committed before the epoch is raised and counted in its snapshot, or is opened under the new epoch. Spells ANNB, beside
 * the ANNA that migrations hold.
 */
export const BUDGET_LOCK = 0x414e4e42;
