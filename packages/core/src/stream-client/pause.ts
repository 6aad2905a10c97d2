const longestDelayMillis = 30_000

// A longer one is a mistake. And above 2^31 ms a timer fires at once.
const longestPauseMillis = 300_000

/**
 * How long to wait before an attempt, of which the first is 1. It doubles up to 30 s. Half of it is
 * random, so that clients that were dropped together do not reconnect together.
 */
export function delayBefore(attempt: number, reconnectDelay: number): number {
  const limit = Math.max(longestDelayMillis, reconnectDelay)
  const delay = Math.min(limit, reconnectDelay * 2 ** (attempt - 1))
  return delay * (0.5 + Math.random() / 2)
}

/** Only a browser knows. "Online" may be wrong, but "offline" hardly ever is. */
export function isOffline(): boolean {
  return !(globalThis.navigator?.onLine ?? true)
}

/** Waits that long, or until the network is back, or until the signal. */
export function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      globalThis.removeEventListener?.('online', end)
      resolve()
    }
    // Offline, an attempt can only fail, except one to this machine itself.
    const wait = isOffline() ? longestDelayMillis : Math.min(millis, longestPauseMillis)
    const timer = setTimeout(end, wait)
    signal.addEventListener('abort', end)
    globalThis.addEventListener?.('online', end)
    if (signal.aborted) end()
  })
}

/** Rejects with the signal: not everything that is awaited accepts one. */
export function abortion(signal: AbortSignal) {
  return new Promise<never>((_resolve, reject) => {
    const end = () => reject(new Error('The stream is closed.', { cause: signal.reason }))
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
