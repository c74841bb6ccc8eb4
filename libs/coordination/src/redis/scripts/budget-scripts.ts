/**
 * A day is one hash, so an eviction or a flush takes its epoch along with its counters and is noticed as `stale`:
 *   run, epoch                     server and ledger epoch of the load; another server's copy is never trusted
 *   s:<purse>, h:<purse>           micro-USD spent and held by `deployment`, `tenant:<id>`, `provider:<id>`
 *   r:<reservation>                `a` (admitted) or `l` (loaded), amount, bytes of the tenant's id, both ids
 * Sums are whole numbers below 2^53, which Lua's doubles hold exactly; they become text by `%.0f` alone, since
 * Lua's own conversion rounds after 14 digits. One HSET for all counters is half the time of an HINCRBY for each.
 * In every script KEYS[1] is the day and ARGV[1] the run id of the server that the caller is connected to.
 */
const HOLDS = `
local function readPurses(tenant, provider)
  local names = { 's:deployment', 'h:deployment', 's:tenant:' .. tenant, 'h:tenant:' .. tenant,
    's:provider:' .. provider, 'h:provider:' .. provider }
  return names, redis.call('HMGET', KEYS[1], unpack(names))
end
-- Takes the amount out of what is held and adds the cost to what is spent. Answers the spend after, by scope.
local function closeHold(id, stored, cost)
  local amount, length, ids = string.match(stored, '^.(%d+) (%d+) (.*)$')
  local names, values = readPurses(string.sub(ids, 1, length), string.sub(ids, length + 1))
  local fields, spent = {}, {}
  for scope = 1, 3 do
    local s, h = 2 * scope - 1, 2 * scope
    spent[scope] = (tonumber(values[s]) or 0) + cost
    fields[4 * scope - 3], fields[4 * scope - 2] = names[s], string.format('%.0f', spent[scope])
    fields[4 * scope - 1], fields[4 * scope] = names[h], string.format('%.0f', (tonumber(values[h]) or 0) - amount)
  end
  redis.call('HSET', KEYS[1], unpack(fields))
  redis.call('HDEL', KEYS[1], 'r:' .. id)
  return spent
end
`;

/** ARGV: run, epoch, id, amount, tenant, provider, limits of the three scopes ('' when off). */
export const RESERVE = `${HOLDS}
local hold = 'r:' .. ARGV[3]
local day = redis.call('HMGET', KEYS[1], 'run', 'epoch', hold)
if day[1] ~= ARGV[1] or day[2] ~= ARGV[2] then return { 'stale' } end
if day[3] then
  if string.sub(day[3], 1, 1) == 'a' then return { 'admitted' } end
  -- Whether the ledger's row was admitted before the rebuild is unknown, so it is judged like any other.
  closeHold(ARGV[3], day[3], 0)
end
local amount = tonumber(ARGV[4])
local names, values = readPurses(ARGV[5], ARGV[6])
local fields = { hold, 'a' .. ARGV[4] .. ' ' .. #ARGV[5] .. ' ' .. ARGV[5] .. ARGV[6] }
for scope = 1, 3 do
  local limit, spent, held = ARGV[6 + scope], values[2 * scope - 1] or '0', values[2 * scope] or '0'
  if limit ~= '' and spent + held + amount > tonumber(limit) then return { 'refused', scope, spent, held } end
  fields[2 * scope + 1], fields[2 * scope + 2] = names[2 * scope], string.format('%.0f', held + amount)
end
redis.call('HSET', KEYS[1], unpack(fields))
return { 'admitted' }
`;

/** ARGV: run, id, cost. Answers the spend after, by scope. */
export const SETTLE = `${HOLDS}
local found = redis.call('HMGET', KEYS[1], 'run', 'r:' .. ARGV[2])
if found[1] ~= ARGV[1] or not found[2] then return false end
return closeHold(ARGV[2], found[2], tonumber(ARGV[3]))
`;

/** ARGV: run, id. */
export const RELEASE = `${HOLDS}
local found = redis.call('HMGET', KEYS[1], 'run', 'r:' .. ARGV[2])
if found[1] ~= ARGV[1] or not found[2] then return 0 end
closeHold(ARGV[2], found[2], 0)
return 1
`;

/** ARGV: run, epoch, seconds to live, then fields and values. */
export const LOAD = `
local known = redis.call('HGET', KEYS[1], 'epoch')
if known and tonumber(known) >= tonumber(ARGV[2]) then return 0 end
redis.call('DEL', KEYS[1])
-- In slices, since Lua passes at most some 8 000 arguments to a call.
for first = 4, #ARGV, 1000 do
  redis.call('HSET', KEYS[1], unpack(ARGV, first, math.min(first + 999, #ARGV)))
end
redis.call('HSET', KEYS[1], 'run', ARGV[1], 'epoch', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
`;

/** ARGV: run, purses. Answers spent and held of each. */
export const READ = `
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return false end
local answer = {}
for index = 2, #ARGV do
  local purse = redis.call('HMGET', KEYS[1], 's:' .. ARGV[index], 'h:' .. ARGV[index])
  answer[#answer + 1] = purse[1] or '0'
  answer[#answer + 1] = purse[2] or '0'
end
return answer
`;

/** ARGV: run. */
export const LIST_HOLDS = `
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return {} end
local ids = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 2) == 'r:' then ids[#ids + 1] = string.sub(field, 3) end
end
return ids
`;
