/**
 * SQL of whether the proposal `p` was not answered: when its evidence is forgotten, it goes. Accepted values are in use,
 * and a rejection is kept, or the rejected value would be proposed again.
 */
export const IS_UNANSWERED_SQL = `(p.state IN ('pending', 'expired') OR p.state = 'withdrawn' AND p.decided_by = 'newer')`;
