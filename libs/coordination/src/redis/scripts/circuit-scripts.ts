import { HALF_OPEN_RECHECK_MS, RESERVATION_TTL_MS } from '../../rules/circuit.js';

/**
 * The state machine of rules/circuit.ts, step by step the same; the property test of the contract compares the two.
 * A circuit is one hash: `circuit` is its JSON, `p:<reservation>` the time when a reservation of the closed state was
 * issued.
 * KEYS[1] is the circuit; ARGV: now, then the policy, then the arguments of the script itself.
 * JSON keeps 14 digits, enough for a time in ms.
 */
const STATE_MACHINE = `
local now = tonumber(ARGV[1])
local windowSize, windowMs, errorThreshold = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local minAttempts, cooldownMs = tonumber(ARGV[5]), tonumber(ARGV[6])
local probesRequired, probeLeaseMs = tonumber(ARGV[7]), tonumber(ARGV[8])
local raw = redis.call('HGET', KEYS[1], 'circuit')
local c = raw and cjson.decode(raw) or { createdAt = now, state = 'closed', generation = 0, sequence = 0,
  oldest = 1, openedAt = 0, window = {}, successes = 0, probes = {} }
local transition = {}

local function save()
  redis.call('HSET', KEYS[1], 'circuit', cjson.encode(c))
  -- After an hour and a full cycle without a call the circuit expires, and starts closed again.
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ${RESERVATION_TTL_MS} + windowMs + cooldownMs + probeLeaseMs))
end
local function trimWindow()
  local kept = {}
  for _, attempt in ipairs(c.window) do
    if now - attempt[1] <= windowMs then kept[#kept + 1] = attempt end
  end
  while #kept > windowSize do table.remove(kept, 1) end
  c.window = kept
end
local function countFailures()
  local failures = 0
  for _, attempt in ipairs(c.window) do failures = failures + attempt[2] end
  return failures
end
local function change(state)
  transition = { c.state, state, countFailures(), #c.window }
  c.state = state
end
local function open()
  c.openedAt, c.generation, c.successes, c.probes = now, c.generation + 1, 0, {}
  -- Deleting the key also deletes the reservations issued before the opening.
  redis.call('DEL', KEYS[1])
  c.oldest = c.sequence + 1
  change('open')
end
local function expireProbes()
  for _, probe in ipairs(c.probes) do
    if probe[2] <= now then
      table.insert(c.window, { now, 1 })
      trimWindow()
      open()
      return true
    end
  end
  return false
end
local function formatReservation(sequence)
  return string.format('%.0f-%.0f-%.0f', c.createdAt, c.generation, sequence)
end
`;

/** Returns admitted, reservation, state, retryAt, transition; then whether it refused, and how to give back. */
const ACQUIRE = `${STATE_MACHINE}
trimWindow()
if c.state == 'open' and now - c.openedAt >= cooldownMs then
  c.successes = 0
  change('half_open')
else
  expireProbes()
end
if c.state == 'open' then
  if transition[1] then save() end
  return { 0, '', c.state, c.openedAt + cooldownMs, transition }, true
end
if c.state == 'half_open' and #c.probes + c.successes >= probesRequired then
  local recheckAt = now + ${HALF_OPEN_RECHECK_MS}
  for _, probe in ipairs(c.probes) do recheckAt = math.min(recheckAt, probe[2]) end
  if transition[1] then save() end
  return { 0, '', c.state, recheckAt, transition }, true
end
c.sequence = c.sequence + 1
local reservation = formatReservation(c.sequence)
if c.state == 'half_open' then
  table.insert(c.probes, { reservation, now + probeLeaseMs })
else
  -- Checks two old reservations for each new one, so that reservations without a report do not accumulate.
  for _ = 1, 2 do
    local field = 'p:' .. formatReservation(c.oldest)
    local givenAt = redis.call('HGET', KEYS[1], field)
    if givenAt and now - tonumber(givenAt) <= ${RESERVATION_TTL_MS} then break end
    if givenAt then redis.call('HDEL', KEYS[1], field) end
    if c.oldest < c.sequence then c.oldest = c.oldest + 1 end
  end
  redis.call('HSET', KEYS[1], 'p:' .. reservation, ARGV[1])
end
save()
return { 1, reservation, c.state, 0, transition }, false, function()
  local report = { unpack(ARGV, 1, 8) }
  report[9], report[10] = reservation, 'abandoned'
  steps.circuitReport(KEYS, report)
end
`;

/** ARGV ends with reservation and outcome. Returns the transition, empty when there is none. */
const REPORT = `${STATE_MACHINE}
local reservation, outcome = ARGV[9], ARGV[10]
if not raw then return transition end
if expireProbes() then
  save()
  return transition
end
local known = redis.call('HDEL', KEYS[1], 'p:' .. reservation) == 1
for index, probe in ipairs(c.probes) do
  if probe[1] == reservation then
    table.remove(c.probes, index)
    known = true
    break
  end
end
if not known then return transition end
if outcome ~= 'abandoned' then
  local failed = outcome == 'failure'
  table.insert(c.window, { now, failed and 1 or 0 })
  trimWindow()
  if c.state == 'half_open' then
    if failed then
      open()
    else
      c.successes = c.successes + 1
      if c.successes >= probesRequired then
        change('closed')
        c.window, c.successes = {}, 0
      end
    end
  elseif failed and #c.window >= minAttempts and countFailures() / #c.window >= errorThreshold then
    open()
  end
end
save()
return transition
`;

export const CIRCUIT_STEPS = { circuitAcquire: ACQUIRE, circuitReport: REPORT };
