/** SQL of whether the memory `m` is current: the condition of `isCurrent` in libs/domain. */
export const IS_CURRENT_SQL = "m.state = 'active' AND m.superseded_by IS NULL AND m.valid_to IS NULL";
