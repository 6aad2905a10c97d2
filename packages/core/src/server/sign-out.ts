import type { Database } from '../database/connect.ts'
import type { Clock } from '../infrastructure/clock.ts'

/** Where everyone is signed out. */
export interface SignOut {
  readonly database: Database
  readonly clock: Clock
  /** Is told how many accounts are done. */
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
