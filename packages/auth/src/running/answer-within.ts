import { defineMiddleware, ServiceUnavailableError } from '@svc/core'
import { authOf, type Needs } from '../auth.ts'

async function within(millis: number, { log }: Needs<'log'>, run: () => Promise<void>) {
  const running = run()
  const { promise: isLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    running.catch((error: unknown) =>
      log.error({ err: error }, 'a request failed after it was answered with 503'),
    )
    reject(new ServiceUnavailableError())
  }, millis)
  try {
    await Promise.race([running, isLate])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Responds in time even if the database does not. The work continues, and the next call finds it
 * done.
 */
export const answerWithin = (millis: number) =>
  defineMiddleware('auth-answer-within', (c, next) => within(millis, authOf(c.server), next), {
    documents: {},
  })
