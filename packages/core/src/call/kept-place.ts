import { pause } from '../clock/client.ts'
import { HttpError } from '../errors/errors.ts'

/** Sends the value of a kept place. */
export const placeHeader = 'x-svc-place'

/** A call that the server has told to retry, and that will. */
export interface Wait {
  /** How long from now until it is sent again. */
  millis: number
}

interface Waiting {
  /** How long all waits together may take. */
  longestMillis: number
  onWait?: ((wait: Wait) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Sends a call again when its place in line has come. It does so only if the refusal keeps a place: then the call has
 * had no effect, so any call may be repeated.
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
  // By its name: a page may not have the classes of errors.
  if (!(error instanceof HttpError) || error.name !== 'ServiceUnavailableError') return null
  // Not trusted: another server may have sent this response.
  const { place, retryAfter } = error as { place?: unknown; retryAfter?: unknown }
  if (typeof place !== 'string' || typeof retryAfter !== 'number' || !(retryAfter >= 1)) return null
  return { place, millis: retryAfter * 1000 }
}
