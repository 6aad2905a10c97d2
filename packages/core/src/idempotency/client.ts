import { pause } from '../clock/client.ts'
import { HttpError } from '../errors/errors.ts'

interface SendOptions {
  /** A UUID unless set. Store it with its form if the page may be reloaded. */
  key?: string
  /** How often it is sent at most. 5 unless set. */
  tries?: number
  /** Aborts it. */
  signal?: AbortSignal
}

/**
 * Sends a change until its answer has arrived, each time with the same key, so that the change
 * takes effect once: `sendOnce((headers) => api.placeOrder.call({ body, headers }))`.
 */
export async function sendOnce<Answer>(
  send: (headers: { 'idempotency-key': string }) => Promise<Answer>,
  { key = crypto.randomUUID(), tries = 5, signal }: SendOptions = {},
): Promise<Answer> {
  for (let sent = 1; ; sent += 1) {
    try {
      return await send({ 'idempotency-key': key })
    } catch (error) {
      if (sent >= tries || !isUnanswered(error)) throw error
      await pause(retryMillis(error, sent), signal)
    }
  }
}

/**
 * There was no answer, or one of a server that could not work. It is unknown whether the change was
 * made, or it is still running.
 */
function isUnanswered(error: unknown): error is HttpError {
  if (!(error instanceof HttpError)) return false
  return [502, 503, 504].includes(error.status) || error.name === 'RequestInProgressError'
}

// The time in a balancer's 503 may be hours, for example during maintenance: the call would seem to
// hang.
const longestMillis = 60_000

/**
 * The time that the server has said, up to a minute; or from one second on, twice as long each
 * time.
 */
function retryMillis(error: HttpError, sent: number) {
  const { retryAfter } = error as { retryAfter?: unknown }
  const millis =
    typeof retryAfter === 'number' && retryAfter >= 0 ? retryAfter * 1000 : 1000 * 2 ** (sent - 1)
  return Math.min(millis, longestMillis)
}
