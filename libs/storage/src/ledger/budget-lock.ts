/**
 * The advisory lock that orders opening a reservation (shared) and raising the day's epoch (exclusive): a reservation
 * is either committed before the epoch is raised and counted in its snapshot, or opened under the new epoch. The value
 * is "ANNB" in ASCII; the lock of migrations is "ANNA".
 */
export const BUDGET_LOCK = 0x414e4e42;
