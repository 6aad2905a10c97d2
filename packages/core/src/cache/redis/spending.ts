import type { Redis } from 'ioredis'
import type { BornWith } from '../births.ts'
import type { Spendable, Spending } from '../cache.ts'
import { wholeMillis } from '../cache.ts'
import { readInfo } from './reply.ts'

// One step, so that the contents can't be lost between reading the mark and spending.
const lua = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local run, born, with = string.match(redis.call('get', KEYS[2]) or '', '^(%S+) (%d+) (%a+)$')
  born = tonumber(born)
  local isOther = run and run ~= ARGV[3] and ARGV[3] ~= ':'
  if isOther and ARGV[4] ~= 'just read' then return {'stale', 0, 0, with} end
  if isOther or not run then
    born = now
    with = run and 'older' or 'empty'
    redis.call('set', KEYS[2], string.format('%s %.0f %s', ARGV[3], born, with))
  end
  if tonumber(ARGV[1]) <= born then return {'unknown', born, now, with} end
  local first = redis.call('set', KEYS[1], '1', 'PX', ARGV[2], 'NX')
  return {first and 'first' or 'again', born, now, with}`

type Answered = [
  outcome: Spending['outcome'] | 'stale',
  bornAtMillis: number,
  nowMillis: number,
  bornWith: BornWith,
]

interface Scripted {
  svcSpend(key: string, mark: string, ...given: (string | number)[]): Promise<Answered>
}

interface Given {
  prefix: string
  /** The cache was born at this time, or is known to have been. */
  onBorn: (bornAtMillis: number, bornWith: BornWith) => void
}

/**
 * The mark of the cache's birth is stored beside the ids, so that it is lost with them. It names the run of the server:
 * after a start from a snapshot, a takeover by a replica or a slot's move, it names another one, and the latest ids may
 * be missing.
 */
export function openSpending(redis: Redis, { prefix, onBorn }: Given) {
  redis.defineCommand('svcSpend', { numberOfKeys: 2, lua })
  const scripted = redis as unknown as Scripted
  let run: Promise<string> | null = null
  const forgetRun = () => {
    run = null
  }
  // The next connection may lead to another server.
  redis.on('close', forgetRun)

  async function ask(key: string, { sinceMillis, ttlMillis }: Spendable, freshness = '') {
    if (run === null) {
      run = readRun(redis)
      run.catch(forgetRun)
    }
    const given = [sinceMillis, wholeMillis(ttlMillis), await run, freshness]
    const spent = scripted.svcSpend(prefix + key, `${prefix}svc:born`, ...given)
    // A server that refuses may be a replica now, and the primary later.
    spent.catch(forgetRun)
    const [outcome, bornAtMillis, nowMillis, bornWith] = await spent
    if (outcome === 'stale') return null
    onBorn(bornAtMillis, bornWith)
    return { outcome, bornAtMillis, nowMillis }
  }

  async function spend(key: string, given: Spendable): Promise<Spending> {
    const answered = await ask(key, given)
    if (answered) return answered
    // A primary without replicas changes its id after an hour, while connections last. If one
    // instance wrote a new mark for the old id, and another one for the new, neither would ever
    // know which ids are spent.
    forgetRun()
    const again = await ask(key, given, 'just read')
    if (!again) throw new Error('The cache is another server by now.')
    return again
  }

  // Marked at once: requests that were signed before the mark are refused. While Redis is down, all are refused anyway.
  redis.on('ready', () => void spend('svc:birth', { sinceMillis: 0, ttlMillis: 1 }).catch(() => {}))
  return spend
}

/**
 * It changes after each start, and each time that a replica becomes the primary. If this user may
 * not ask, only a missing mark shows that the server lost its contents.
 */
async function readRun(redis: Redis) {
  const valueOf = await readInfo(redis)
  return `${valueOf('run_id') ?? ''}:${valueOf('master_replid') ?? ''}`
}
