import type { Redis } from 'ioredis'
import type { Spendable, Spending } from '../cache.ts'
import { wholeMillis } from '../cache.ts'
import { readInfo } from './reply.ts'

// One step, so that the contents can't be lost between reading the mark and spending.
const lua = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local born = tonumber(redis.call('get', KEYS[2]))
  if not born then
    redis.call('set', KEYS[2], string.format('%.0f', now))
    born = now
  end
  if tonumber(ARGV[1]) <= born then return {'unknown', born, now} end
  local first = redis.call('set', KEYS[1], '1', 'PX', ARGV[2], 'NX')
  return {first and 'first' or 'again', born, now}`

type Answered = [Spending['outcome'], bornAtMillis: number, nowMillis: number]

interface Scripted {
  svcSpend(key: string, mark: string, sinceMillis: number, ttlMillis: number): Promise<Answered>
}

/**
 * The mark of the cache's birth is stored beside the ids, so that it is lost with them. Its name contains the run id of
 * the server: after a start from a snapshot or a takeover by a replica, the mark is old and the latest ids are missing.
 */
export function openSpending(redis: Redis, prefix: string) {
  redis.defineCommand('svcSpend', { numberOfKeys: 2, lua })
  const scripted = redis as unknown as Scripted
  let run: Promise<string> | null = null
  const forgetRun = () => {
    run = null
  }
  // The next connection may lead to another server.
  redis.on('close', forgetRun)

  async function spend(key: string, { sinceMillis, ttlMillis }: Spendable): Promise<Spending> {
    if (run === null) {
      run = readRun(redis)
      run.catch(forgetRun)
    }
    const mark = `${prefix}svc:born:${await run}`
    const given = [prefix + key, mark, sinceMillis, wholeMillis(ttlMillis)] as const
    const spent = scripted.svcSpend(...given)
    // A server that refuses may be a replica now, and a primary later.
    spent.catch(forgetRun)
    const [outcome, bornAtMillis, nowMillis] = await spent
    return { outcome, bornAtMillis, nowMillis }
  }

  // Marked at once: requests that were signed before the mark are refused. While Redis is down, all are refused anyway.
  redis.on('ready', () => void spend('svc:birth', { sinceMillis: 0, ttlMillis: 1 }).catch(() => {}))
  return spend
}

/**
 * It changes after each start, and each time that a replica becomes the primary. Where this user may not ask, only the
 * missing mark shows that the server lost its contents.
 */
async function readRun(redis: Redis) {
  const valueOf = await readInfo(redis)
  return `${valueOf('run_id') ?? ''}:${valueOf('master_replid') ?? ''}`
}
