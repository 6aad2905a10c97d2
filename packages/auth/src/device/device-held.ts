import type { HeldBy } from '../capability/capability.ts'
import type { deviceAuthContract } from './contract.ts'
import type { Decisions } from './decisions.ts'
import type { DeviceAuth } from './device-auth-options.ts'

interface Opened {
  readonly deviceAuth: DeviceAuth
  readonly decisions: Decisions
}

export const deviceActs = ['device.approved', 'device.denied'] as const
export type DeviceAct = (typeof deviceActs)[number]

export type DeviceHeld = HeldBy<typeof deviceAuthContract, { own: Opened; acts: DeviceAct }>

/** The part of it that a function uses. */
export type DeviceNeeds<Part extends keyof DeviceHeld> = Pick<DeviceHeld, Part>
