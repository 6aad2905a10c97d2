import { EventEmitter } from 'node:events'
import { defineEvent, EnvironmentError, t } from '@svc/core'
import type { HeldBy } from '../capability/capability.ts'
import type { deviceAuthContract } from './contract.ts'

interface Opened {
  readonly deviceAuth: DeviceAuth
  readonly decisions: Decisions
}

export const deviceActs = ['device.approved', 'device.denied'] as const
export type DeviceAct = (typeof deviceActs)[number]

export type DeviceHeld = HeldBy<typeof deviceAuthContract, { own: Opened; acts: DeviceAct }>

/** The part of it that a function uses. */
export type DeviceNeeds<Part extends keyof DeviceHeld> = Pick<DeviceHeld, Part>

export interface DeviceAuthOptions {
  /** How long a waiting device's code lives. Ten minutes unless set. */
  ttlMs?: number
  /** How long a waiting device pauses between polls. Five seconds unless set. */
  intervalMs?: number
}

type DeviceAuth = Readonly<Required<DeviceAuthOptions>>

/** Resolved once, as the server starts. */
export function readDeviceAuth(options: DeviceAuthOptions = {}): DeviceAuth {
  const settings = { ttlMs: 600_000, intervalMs: 5_000, ...options }
  const problems = Object.entries(settings)
    .filter(([, millis]) => !(Number.isSafeInteger(millis) && millis > 0))
    .map(
      ([name]) =>
        `createAuthLifecycle({ deviceAuth: { ${name} } }) must be a positive whole number`,
    )
  if (problems.length > 0) throw new EnvironmentError(problems)
  return settings
}

/** Where polls sleep until a user decides their request. */
interface Decisions {
  /**
   * Resolves when the request is decided, but no later than `millis` from now or when `gone`
   * aborts.
   */
  next(codeHash: string, until: { millis: number; gone: AbortSignal }): Promise<void>
  /** Whether the server is shutting down, which no poll may delay. */
  readonly isClosed: boolean
  /** Wakes every poll; from here on none sleeps. */
  close(): void
}

/**
 * Learns of decisions as soon as they are committed: of those on other instances through the cache,
 * if there is one.
 */
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

/**
 * Wakes the polls that wait for a decision, on every instance. It names hashes, which are no use
 * for collecting an approval.
 */
export const deviceDecidedEvent = defineEvent(
  'auth.device.decided',
  t.Object({ codeHashes: t.Array(t.String()) }),
)
