import { EventEmitter } from 'node:events'
import { deviceDecidedEvent } from './device-decided.ts'

/** Where polls sleep until their request is decided. */
export interface Decisions {
  /** Resolves when a request is decided, but no later than `millis` from now or when `gone` aborts. */
  next(codeHash: string, until: { millis: number; gone: AbortSignal }): Promise<void>
  /** Whether the server goes down, which no poll may hold up. */
  readonly isClosed: boolean
  /** Wakes every poll; from here on none sleeps. */
  close(): void
}

/** Hears of decisions as soon as they are committed: those of other instances through the cache, where there is one. */
export function createDecisions(): Decisions {
  const sleepers = new EventEmitter().setMaxListeners(0)
  let isClosed = false
  const unsubscribe = deviceDecidedEvent.subscribe(({ codeHashes }) => {
    for (const codeHash of codeHashes) sleepers.emit(codeHash)
  })

  return {
    next: (codeHash, { millis, gone }) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          sleepers.off(codeHash, wake)
          gone.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, isClosed || gone.aborted ? 0 : millis).unref()
        sleepers.on(codeHash, wake)
        gone.addEventListener('abort', wake)
      }),
    get isClosed() {
      return isClosed
    },
    close() {
      isClosed = true
      unsubscribe()
      for (const codeHash of sleepers.eventNames()) sleepers.emit(codeHash)
    },
  }
}
