/**
 * A day is one hash, so an eviction or a flush removes its epoch with its counters, and the day is `stale`:
 *   run, epoch                     run id of the server, epoch of the ledger; the copy of another server is never used
 *   loading                        the epoch, stored in place of `epoch` until the day is activated
 *   s:<counter>, h:<counter>           micro-USD spent and reserved by `deployment`, `tenant:<id>`, `provider:<id>`
 *   r:<reservation>                `a` (admitted) or `l` (loaded), amount, bytes of the tenant's id, both ids
 * Sums are whole numbers below 2^53, which Lua's doubles represent exactly; they are formatted with `%.0f` only, since
 * Lua's own conversion rounds after 14 digits. One HSET for all counters takes half the time of an HINCRBY for each.
 * In every script KEYS[1] is the day and ARGV[1] the run id of the server that the caller is connected to.
 */
const CLOSE_RESERVATION = `
-- Subtracts the amount from the reserved sums and adds the cost to the spent sums. Returns the spend after, by scope.
local function closeReservation(reservation, stored, cost)
  local amount, length, ids = string.match(stored, '^.(%d+) (%d+) (.*)$')
  local tenant, provider = string.sub(ids, 1, length), string.sub(ids, length + 1)
  local st, ht, sp, hp = 's:tenant:' .. tenant, 'h:tenant:' .. tenant, 's:provider:' .. provider, 'h:provider:' .. provider
  local was = redis.call('HMGET', KEYS[1], 's:deployment', 'h:deployment', st, ht, sp, hp)
  local deployment, ofTenant, ofProvider = (was[1] or 0) + cost, (was[3] or 0) + cost, (was[5] or 0) + cost
  redis.call('HSET', KEYS[1],
    's:deployment', string.format('%.0f', deployment), 'h:deployment', string.format('%.0f', was[2] - amount),
    st, string.format('%.0f', ofTenant), ht, string.format('%.0f', was[4] - amount),
    sp, string.format('%.0f', ofProvider), hp, string.format('%.0f', was[6] - amount))
  redis.call('HDEL', KEYS[1], reservation)
  return { deployment, ofTenant, ofProvider }
end
`;

/**
 * ARGV: run, epoch, id, amount, tenant, provider, limits of the three scopes ('' when not enforced). Returns the answer,
 * then whether it refused.
 */
const RESERVE = `${CLOSE_RESERVATION}
local reservation, amount, tenant, provider = 'r:' .. ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local st, ht, sp, hp = 's:tenant:' .. tenant, 'h:tenant:' .. tenant, 's:provider:' .. provider, 'h:provider:' .. provider
local function read()
  return redis.call('HMGET', KEYS[1], 'run', 'epoch', reservation, 's:deployment', 'h:deployment', st, ht, sp, hp)
end
local day = read()
if day[1] ~= ARGV[1] or day[2] ~= ARGV[2] then return { 'stale' }, true end
if day[3] then
  if string.sub(day[3], 1, 1) == 'a' then return { 'admitted' } end
  -- Whether the row was admitted before the rebuild is unknown, so it is checked like a new one.
  closeReservation(reservation, day[3], 0)
  day = read()
end
for scope = 1, 3 do
  local limit, spent, held = ARGV[6 + scope], day[2 + 2 * scope] or '0', day[3 + 2 * scope] or '0'
  if limit ~= '' and spent + held + amount > tonumber(limit) then return { 'refused', scope, spent, held }, true end
end
redis.call('HSET', KEYS[1], reservation, 'a' .. amount .. ' ' .. #tenant .. ' ' .. tenant .. provider,
  'h:deployment', string.format('%.0f', (day[5] or 0) + amount),
  ht, string.format('%.0f', (day[7] or 0) + amount), hp, string.format('%.0f', (day[9] or 0) + amount))
return { 'admitted' }
`;

const FIND_RESERVATION = `${CLOSE_RESERVATION}
local reservation = 'r:' .. ARGV[2]
local found = redis.call('HMGET', KEYS[1], 'run', reservation)
if found[1] ~= ARGV[1] or not found[2] then return false end
`;

/** ARGV: run, id, cost. Returns the spend after, by scope; false when no reservation is open. */
const SETTLE = `${FIND_RESERVATION}
return closeReservation(reservation, found[2], ARGV[3])
`;

/** ARGV: run, id. Returns false when no reservation is open. */
const CANCEL = `${FIND_RESERVATION}
closeReservation(reservation, found[2], 0)
return 1
`;

/** ARGV: run, epoch, seconds to live, then fields and values. */
const LOAD = `
local known = redis.call('HMGET', KEYS[1], 'epoch', 'loading')
local newest = tonumber(known[1] or known[2] or -1)
if newest >= tonumber(ARGV[2]) then return 0 end
redis.call('DEL', KEYS[1])
-- In slices, since Lua passes at most some 8 000 arguments to a call.
for first = 4, #ARGV, 1000 do
  redis.call('HSET', KEYS[1], unpack(ARGV, first, math.min(first + 999, #ARGV)))
end
redis.call('HSET', KEYS[1], 'run', ARGV[1], 'loading', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
`;

/** ARGV: run, epoch. */
const ACTIVATE = `
local day = redis.call('HMGET', KEYS[1], 'run', 'epoch', 'loading')
if day[1] ~= ARGV[1] then return 0 end
if day[2] == ARGV[2] then return 1 end
if day[3] ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'loading')
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
return 1
`;

/** ARGV: run, epoch. */
const IS_OF_EPOCH = `
local day = redis.call('HMGET', KEYS[1], 'run', 'epoch')
return day[1] == ARGV[1] and day[2] == ARGV[2] and 1 or 0
`;

const CHECK_ACTIVE = `
local day = redis.call('HMGET', KEYS[1], 'run', 'epoch')
if day[1] ~= ARGV[1] or not day[2] then return false end
`;

/** ARGV: run, counters. Returns spent and reserved of each. */
const READ = `${CHECK_ACTIVE}
local answer = {}
for index = 2, #ARGV do
  local counter = redis.call('HMGET', KEYS[1], 's:' .. ARGV[index], 'h:' .. ARGV[index])
  answer[#answer + 1] = counter[1] or '0'
  answer[#answer + 1] = counter[2] or '0'
end
return answer
`;

/** ARGV: run. */
const LIST_RESERVATIONS = `${CHECK_ACTIVE}
local ids = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 2) == 'r:' then ids[#ids + 1] = string.sub(field, 3) end
end
return ids
`;

export const BUDGET_STEPS_OF_CALLS = { budgetReserve: RESERVE, budgetSettle: SETTLE, budgetCancel: CANCEL };

export const BUDGET_STEPS = {
  ...BUDGET_STEPS_OF_CALLS,
  budgetLoad: LOAD,
  budgetActivate: ACTIVATE,
  budgetIsOfEpoch: IS_OF_EPOCH,
  budgetRead: READ,
  budgetListReservations: LIST_RESERVATIONS,
};
