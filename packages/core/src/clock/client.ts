/** Waits. Rejects with the reason of the signal as soon as that is aborted. */
export function pause(millis: number, signal?: AbortSignal) {
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
