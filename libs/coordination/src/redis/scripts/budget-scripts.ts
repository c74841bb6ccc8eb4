/**
 * A day is one hash, so an eviction or a flush takes its epoch along with its counters and is noticed as `stale`:
 *   run, epoch                     server and ledger epoch of the load; another server's copy is never trusted
 *   s:<purse>, h:<purse>           micro-USD spent and held by `deployment`, `tenant:<id>`, `provider:<id>`
 *   r:<reservation>                `a` (admitted) or `l` (loaded), then JSON [amount, tenantId, provider]
 * Counters change by HINCRBY alone, which is exact in 64 bits; Lua's doubles only compare, exactly up to 2^53.
 * In every script KEYS[1] is the day and ARGV[1] the run id of the server that the caller is connected to.
 */
const HOLDS = `
local function addTo(kind, tenant, provider, amount)
  return redis.call('HINCRBY', KEYS[1], kind .. 'deployment', amount),
    redis.call('HINCRBY', KEYS[1], kind .. 'tenant:' .. tenant, amount),
    redis.call('HINCRBY', KEYS[1], kind .. 'provider:' .. provider, amount)
end
local function dropHold(id, stored)
  local hold = cjson.decode(string.sub(stored, 2))
  redis.call('HDEL', KEYS[1], 'r:' .. id)
  -- The amount stays text: turning a large number into text in Lua would round it.
  local negative = hold[1] == '0' and '0' or '-' .. hold[1]
  addTo('h:', hold[2], hold[3], negative)
  return hold
end
`;

/** ARGV: run, epoch, id, amount, tenant, provider, JSON of the hold, limits of the three scopes ('' when off). */
export const RESERVE = `${HOLDS}
local tenant, provider = 'tenant:' .. ARGV[5], 'provider:' .. ARGV[6]
local hold = 'r:' .. ARGV[3]
local function read()
  return redis.call('HMGET', KEYS[1], 'run', 'epoch', hold, 's:deployment', 'h:deployment',
    's:' .. tenant, 'h:' .. tenant, 's:' .. provider, 'h:' .. provider)
end
local day = read()
if day[1] ~= ARGV[1] or day[2] ~= ARGV[2] then return { 'stale' } end
if day[3] then
  if string.sub(day[3], 1, 1) == 'a' then return { 'admitted' } end
  -- Whether the ledger's row was admitted before the rebuild is unknown, so it is judged like any other.
  dropHold(ARGV[3], day[3])
  day = read()
end
for scope = 1, 3 do
  local limit, spent, held = ARGV[7 + scope], day[2 + 2 * scope] or '0', day[3 + 2 * scope] or '0'
  if limit ~= '' and tonumber(spent) + tonumber(held) + tonumber(ARGV[4]) > tonumber(limit) then
    return { 'refused', scope, spent, held }
  end
end
addTo('h:', ARGV[5], ARGV[6], ARGV[4])
redis.call('HSET', KEYS[1], hold, 'a' .. ARGV[7])
return { 'admitted' }
`;

/** ARGV: run, id, cost. Answers the spend after, by scope. */
export const SETTLE = `${HOLDS}
local found = redis.call('HMGET', KEYS[1], 'run', 'r:' .. ARGV[2])
if found[1] ~= ARGV[1] or not found[2] then return false end
local hold = dropHold(ARGV[2], found[2])
return { addTo('s:', hold[2], hold[3], ARGV[3]) }
`;

/** ARGV: run, id. */
export const RELEASE = `${HOLDS}
local found = redis.call('HMGET', KEYS[1], 'run', 'r:' .. ARGV[2])
if found[1] ~= ARGV[1] or not found[2] then return 0 end
dropHold(ARGV[2], found[2])
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
