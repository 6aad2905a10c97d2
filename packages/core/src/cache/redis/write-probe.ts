import type { Redis } from 'ioredis'
import type { Log } from '../../observation/observation.ts'
import { isReply } from './reply.ts'

/**
 * Whether the server accepts writes. A full server and a read-only replica answer PING as usual.
 */
export function createWriteProbe(
  redis: Redis,
  { prefix, log }: { prefix: string; log: Pick<Log, 'info' | 'warn'> },
) {
  let isRefused = false
  return async () => {
    try {
      await redis.set(`${prefix}svc:up`, '1', 'PX', 1000)
    } catch (error) {
      // A lost connection is logged elsewhere.
      if (isReply(error) && !isRefused) log.warn({ err: error }, 'the cache refuses writes')
      isRefused ||= isReply(error)
      return false
    }
    if (isRefused) log.info('the cache takes writes again')
    isRefused = false
    return true
  }
}
