import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/server.ts'

/** The database in which everyone is signed out. */
export interface SignOut {
  readonly database: Database
  readonly clock: Clock
  /** Called with the number of accounts that are done. */
  readonly onProgress: (accounts: number) => void
}

/** How many there were of each. */
export interface SignedOutEveryone {
  readonly accounts: number
  readonly devices: number
  readonly programs: number
  readonly agents: number
  readonly links: number
  readonly invitations: number
  readonly codes: number
  readonly waitingDevices: number
  readonly signIns: number
}
