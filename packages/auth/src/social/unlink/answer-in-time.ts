import { defineMiddleware, ServiceUnavailableError } from '@svc/core'
import { authOf, type Needs } from '../../auth.ts'

// Kakao takes no answer after 3 s: the rest is for the way.
const longestMillis = 2000

async function inTime({ log }: Needs<'log'>, run: () => Promise<void>) {
  const running = run()
  const { promise: isLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    running.catch((error: unknown) => log.error({ err: error }, 'an unlink notice has failed'))
    reject(new ServiceUnavailableError())
  }, longestMillis)
  try {
    await Promise.race([running, isLate])
  } finally {
    clearTimeout(timer)
  }
}

/** Answers in time even if the database does not. The work continues, and the next notice finds it done. */
export const answerInTime = defineMiddleware(
  'unlink-in-time',
  (c, next) => inTime(authOf(c.server), next),
  { documents: {} },
)
