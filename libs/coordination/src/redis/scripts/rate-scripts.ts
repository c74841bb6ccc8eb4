import {
  MAX_OLDEST_CHECKED,
  MAX_SHARE_RETRY_MS,
  MIN_RETRY_MS,
  THROTTLE_ABOVE_PERCENT,
} from '../../rules/decide-rate.js';
import { RATE_WINDOW_MS } from '../../rules/rate-limits.js';
import {
  MAX_WAITING_REQUESTS_PER_TENANT,
  WAITING_GRACE_MS,
  MAX_WAITING_TENANTS,
  MAX_WAITING_TENANTS_CHECKED,
} from '../../rules/rate-window.js';

/**
 * rules/rate-window.ts and rules/decide-rate.ts, step by step the same; the property test of the contract compares
 * them.
 * KEYS[1] reservations of the last minute by time; KEYS[2] a hash; KEYS[3] waiting tenants by their expiry.
 * The hash: `k:<reservation>` = tokens:settled:tenant; `n t` reservations and tokens, `sn st` of the settled ones, `ur:
 * ut:` by tenant; `hr ht` the reported limits of the provider on requests and tokens (limit remaining reset tracked),
 * `hru htu` used since; `blocked`; `asks` waiting requests, `wa: wt:` waiting requests and needed tokens by tenant.
 * ARGV[1] is now.
 */
const WINDOW_HELPERS = `
local now = tonumber(ARGV[1])
-- Adding 0 turns −0, which HINCRBY rejects, into 0.
local function int(value) return string.format('%.0f', value + 0) end
local function get(field) return tonumber(redis.call('HGET', KEYS[2], field) or 0) end
local function add(field, amount)
  if redis.call('HINCRBY', KEYS[2], field, int(amount)) == 0 then redis.call('HDEL', KEYS[2], field) end
end
local function readReservation(id)
  local raw = redis.call('HGET', KEYS[2], 'k:' .. id)
  if not raw then return nil end
  local tokens, settled, tenant = string.match(raw, '^(%d+):(%d):(.*)$')
  return { tokens = tonumber(tokens), settled = tonumber(settled), tenant = tenant }
end
local function count(reservation, sign)
  add('n', sign)
  add('t', sign * reservation.tokens)
  add('ur:' .. reservation.tenant, sign)
  add('ut:' .. reservation.tenant, sign * reservation.tokens)
  if reservation.settled == 1 then
    add('sn', sign)
    add('st', sign * reservation.tokens)
  end
end
local function put(id, reservation)
  redis.call('HSET', KEYS[2], 'k:' .. id, int(reservation.tokens) .. ':' .. reservation.settled .. ':' .. reservation.tenant)
  count(reservation, 1)
end
local function drop(id)
  local reservation = readReservation(id)
  redis.call('HDEL', KEYS[2], 'k:' .. id)
  redis.call('ZREM', KEYS[1], id)
  if reservation then count(reservation, -1) end
end
local function readTracked(name)
  local raw = redis.call('HGET', KEYS[2], name)
  if not raw then return nil end
  local limit, remaining, resetAt, observedAt = string.match(raw, '^(%S+) (%S+) (%S+) (%S+)$')
  return { limit = tonumber(limit), remaining = tonumber(remaining), resetAt = tonumber(resetAt),
    observedAt = tonumber(observedAt), used = get(name .. 'u') }
end
local function countTracked(at, requests, tokens)
  local hr, ht = readTracked('hr'), readTracked('ht')
  if hr and at >= hr.observedAt then add('hru', requests) end
  if ht and at >= ht.observedAt then add('htu', tokens) end
end
-- An active rate limiter writes all the time. The keys expire after ten minutes without a write, or a minute after the
-- reset or block of the provider, whichever is later.
local function keep(untilAt)
  local ms = int(math.max(600000, untilAt - now + 60000))
  redis.call('PEXPIRE', KEYS[1], ms)
  redis.call('PEXPIRE', KEYS[2], ms)
  redis.call('PEXPIRE', KEYS[3], ms)
end
`;

/**
 * ARGV: now, reservation, tenant, tokens, requests and tokens per minute ('' when not limited), percent above which the
 * call yields ('' when it does not). Returns reason, retry, percent; then whether it refused, and how to give back.
 */
const ACQUIRE = `${WINDOW_HELPERS}
local tenant, tokens = ARGV[3], tonumber(ARGV[4])
-- Redis may have evicted one of the keys: sums without their reservations would never decrease.
if redis.call('ZCARD', KEYS[1]) ~= get('n') then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3]) end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. int(now - ${RATE_WINDOW_MS}))) do drop(id) end
local function endWaiting(other)
  add('asks', -get('wa:' .. other))
  redis.call('HDEL', KEYS[2], 'wa:' .. other, 'wt:' .. other)
  redis.call('ZREM', KEYS[3], other)
end
for _, other in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1])) do endWaiting(other) end

local function computeCapacity(configured, tracked, used)
  if not tracked or tracked.resetAt <= tracked.observedAt or now >= tracked.resetAt then
    if configured == '' then return nil end
    local limit = tonumber(configured)
    return { limit = limit, free = limit - used, msUntil = function() return 0 end }
  end
  local limit = configured == '' and tracked.limit or math.min(tonumber(configured), tracked.limit)
  local refillPerMs = (tracked.limit - tracked.remaining) / (tracked.resetAt - tracked.observedAt)
  local left = tracked.remaining + refillPerMs * (now - tracked.observedAt) - tracked.used
  return { limit = limit, free = math.min(limit - used, left), msUntil = function(amount)
    if amount <= left then return 0 end
    local untilReset = tracked.resetAt - now
    return refillPerMs > 0 and math.min(untilReset, (amount - left) / refillPerMs) or untilReset
  end }
end
local usedRequests, usedTokens, settledRequests, settledTokens = get('n'), get('t'), get('sn'), get('st')
local ownRequests, ownTokens, asks = get('ur:' .. tenant), get('ut:' .. tenant), get('asks')
local requestCapacity = computeCapacity(ARGV[5], readTracked('hr'), usedRequests)
local tokenCapacity = computeCapacity(ARGV[6], readTracked('ht'), usedTokens)

local waits = math.max(1, asks)
local average = 0
if settledRequests > 0 then average = settledTokens / settledRequests
elseif usedRequests > 0 then average = usedTokens / usedRequests end
local percent = 0
if tokenCapacity and average > 0 then
  percent = (settledTokens + average * (usedRequests - settledRequests + waits)) / tokenCapacity.limit * 100
end
if requestCapacity then percent = math.max(percent, (usedRequests + waits) / requestCapacity.limit * 100) end

local cost = tokenCapacity and math.min(tokens, tokenCapacity.limit) or tokens
local function waitFor(needTokens, needRequests)
  local missingTokens = tokenCapacity and needTokens > 0 and usedTokens + needTokens - tokenCapacity.limit or 0
  local missingRequests = requestCapacity and needRequests > 0 and usedRequests + needRequests - requestCapacity.limit or 0
  local wait = 0
  local oldest = redis.call('ZRANGE', KEYS[1], 0, ${MAX_OLDEST_CHECKED - 1}, 'WITHSCORES')
  for index = 1, #oldest, 2 do
    if missingTokens <= 0 and missingRequests <= 0 then break end
    missingTokens = missingTokens - readReservation(oldest[index]).tokens
    missingRequests = missingRequests - 1
    wait = tonumber(oldest[index + 1]) + ${RATE_WINDOW_MS} + 1 - now
  end
  return wait
end
local function share(requests, theirTokens)
  return math.max(tokenCapacity and theirTokens / tokenCapacity.limit or 0, requestCapacity and requests / requestCapacity.limit or 0)
end

local function decide()
  local blockedUntil = get('blocked')
  if now < blockedUntil then return 'blocked', blockedUntil - now end
  if requestCapacity and requestCapacity.free < 1 then
    return 'requests', math.max(waitFor(0, 1), requestCapacity.msUntil(1))
  end
  if tokenCapacity and tokenCapacity.free < cost then
    return 'tokens', math.max(waitFor(cost, 0), tokenCapacity.msUntil(cost))
  end
  local throttled = percent > ${THROTTLE_ABOVE_PERCENT}
  local underserved, needed, mine = 0, cost, share(ownRequests, ownTokens)
  for _, other in ipairs(redis.call('ZREVRANGE', KEYS[3], 0, ${MAX_WAITING_TENANTS_CHECKED - 1})) do
    if other ~= tenant and share(get('ur:' .. other), get('ut:' .. other)) < mine then
      underserved = underserved + 1
      if tokenCapacity then needed = needed + math.min(get('wt:' .. other), tokenCapacity.limit) end
    end
  end
  local fits = (not tokenCapacity or tokenCapacity.free >= needed) and (not requestCapacity or requestCapacity.free >= underserved + 1)
  if underserved > 0 and (throttled or not fits) then
    local gap = math.max(requestCapacity and ${RATE_WINDOW_MS} / requestCapacity.limit or 0,
      tokenCapacity and ${RATE_WINDOW_MS} * cost / tokenCapacity.limit or 0)
    return 'share', math.min(gap * (underserved + 1), ${MAX_SHARE_RETRY_MS})
  end
  if throttled and ownRequests > 0 then
    local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    local newest = tonumber(redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])
    local function countCalls(requests, free)
      return math.floor(math.min(requests or ${Number.MAX_SAFE_INTEGER}, free and cost > 0 and free / cost or ${Number.MAX_SAFE_INTEGER}))
    end
    local capacity = countCalls(requestCapacity and requestCapacity.limit, tokenCapacity and tokenCapacity.limit)
    local slots = countCalls(requestCapacity and requestCapacity.free, tokenCapacity and tokenCapacity.free) - (capacity >= 3 and 1 or 0)
    local minuteEndsAt = tonumber(oldest[2]) + ${RATE_WINDOW_MS}
    local paced = (slots > 0 and newest + (minuteEndsAt - newest) / slots or minuteEndsAt + 1) - now
    if paced > 0 then return 'pace', paced end
  end
  return '', 0
end

local reason, retry = decide()
local text = string.format('%.17g', percent)
local function answer(why, wait)
  local function giveBack() steps.rateCancel(KEYS, ARGV) end
  local yields = why == '' and ARGV[7] ~= '' and percent > tonumber(ARGV[7])
  if yields then giveBack() end
  return { why, wait, text }, why ~= '' or yields, giveBack
end
if redis.call('HEXISTS', KEYS[2], 'k:' .. ARGV[2]) == 1 then return answer('', 0) end
if reason ~= '' then
  retry = math.max(${MIN_RETRY_MS}, math.ceil(retry))
  local known = redis.call('ZSCORE', KEYS[3], tenant)
  -- Bounds what a flood of refused requests stores: one member and a capped count for each tenant.
  if known or redis.call('ZCARD', KEYS[3]) < ${MAX_WAITING_TENANTS} then
    redis.call('ZADD', KEYS[3], int(now + math.min(retry, ${RATE_WINDOW_MS}) + ${WAITING_GRACE_MS}), tenant)
    redis.call('HSET', KEYS[2], 'wt:' .. tenant, ARGV[4])
    if get('wa:' .. tenant) < ${MAX_WAITING_REQUESTS_PER_TENANT} then
      add('wa:' .. tenant, 1)
      add('asks', 1)
    end
  end
else
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
  put(ARGV[2], { tokens = tokens, settled = 0, tenant = tenant })
  countTracked(now, 1, tokens)
  local left = get('wa:' .. tenant)
  if left > 1 then
    add('wa:' .. tenant, -1)
    add('asks', -1)
  elseif left == 1 then
    endWaiting(tenant)
  end
end
keep(get('blocked'))
return answer(reason, retry)
`;

/** ARGV: now, reservation, tokens. */
const SETTLE = `${WINDOW_HELPERS}
local reservation, at = readReservation(ARGV[2]), redis.call('ZSCORE', KEYS[1], ARGV[2])
if not reservation or not at then return 0 end
local tokens = tonumber(ARGV[3])
countTracked(tonumber(at), 0, tokens - reservation.tokens)
count(reservation, -1)
put(ARGV[2], { tokens = tokens, settled = 1, tenant = reservation.tenant })
return 1
`;

/** ARGV: now, reservation. */
const CANCEL = `${WINDOW_HELPERS}
local reservation, at = readReservation(ARGV[2]), redis.call('ZSCORE', KEYS[1], ARGV[2])
if not reservation or not at then return 0 end
countTracked(tonumber(at), -1, -reservation.tokens)
drop(ARGV[2])
return 1
`;

/** ARGV: now, blockedUntil, then limit, remaining, reset of requests and of tokens ('' when not reported). */
const OBSERVE = `${WINDOW_HELPERS}
local untilAt = tonumber(ARGV[2])
if untilAt > get('blocked') then redis.call('HSET', KEYS[2], 'blocked', ARGV[2]) end
for name, first in pairs({ hr = 3, ht = 6 }) do
  local known = readTracked(name)
  -- Responses can arrive out of order: an older report does not replace a newer one.
  if ARGV[first] ~= '' and not (known and now < known.observedAt) then
    redis.call('HSET', KEYS[2], name, table.concat({ ARGV[first], ARGV[first + 1], ARGV[first + 2], ARGV[1] }, ' '))
    redis.call('HDEL', KEYS[2], name .. 'u')
    untilAt = math.max(untilAt, tonumber(ARGV[first + 2]))
  end
end
keep(untilAt)
return 1
`;

export const RATE_STEPS = { rateAcquire: ACQUIRE, rateSettle: SETTLE, rateCancel: CANCEL, rateObserve: OBSERVE };
