import { ServiceUnavailableError } from '../errors/errors.ts'

/** Brings back the place that a refusal has kept. */
export const placeHeader = 'x-svc-place'

/** A call that was told to come again, and does. */
export interface Wait {
  /** How long from now until it is sent again. */
  millis: number
}

interface Waiting {
  /** How long all waits together may take. */
  longestMillis: number
  onWait: ((wait: Wait) => void) | undefined
  signal: AbortSignal | undefined
}

/**
 * Sends a call again when its place in line has come. Only where a refusal keeps a place: then nothing was begun, and the
 * call may be repeated whatever it does.
 */
export async function inLine<Body>(
  send: (headers: Record<string, string>) => Promise<Body>,
  { longestMillis, onWait, signal }: Waiting,
): Promise<Body> {
  let left = longestMillis
  let headers: Record<string, string> = {}
  for (;;) {
    try {
      return await send(headers)
    } catch (error) {
      const kept = keptPlace(error)
      if (!kept || kept.millis > left) throw error
      left -= kept.millis
      onWait?.({ millis: kept.millis })
      await pause(kept.millis, signal)
      headers = { [placeHeader]: kept.place }
    }
  }
}

function keptPlace(error: unknown) {
  if (!(error instanceof ServiceUnavailableError)) return null
  // What an answer says: another server may have sent it.
  const { place, retryAfter } = error as { place?: unknown; retryAfter?: unknown }
  if (typeof place !== 'string' || typeof retryAfter !== 'number' || !(retryAfter >= 1)) return null
  return { place, millis: retryAfter * 1000 }
}

function pause(millis: number, signal: AbortSignal | undefined) {
  return new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, millis)
    signal?.addEventListener('abort', giveUp, { once: true })
    if (signal?.aborted) giveUp()
  })
}
