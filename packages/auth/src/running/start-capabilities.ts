import type { EnvironmentSource, Infrastructure } from '@svc/core'
import type { MailBrand, Templates } from '@svc/notification'
import { type Auth, installAuth } from '../auth.ts'
import type { Capability } from '../capability/capability.ts'
import type { ApiConfiguration } from '../configure-auth.ts'
import { limitsOf } from './check-capabilities.ts'
import { closeAuth, openAuth } from './open-auth.ts'
import { roomParts } from './room-parts.ts'
import { type RunningCapability, runCapabilities } from './running-capabilities.ts'
import { type Part, runningParts } from './running-parts.ts'

export const rooms: Part = { account: roomParts, held: {} }

interface Given {
  readonly source: EnvironmentSource
  readonly templates: Templates
  readonly brand: MailBrand | undefined
  readonly capabilities: readonly Capability[]
  readonly configuration: ApiConfiguration
  readonly rolesAtGates: ReadonlySet<string>
  readonly appActs: ReadonlySet<string>
  readonly takesMessageSignatures: boolean
  /** Runs when everything is open, before the capabilities start. */
  readonly prepare: (auth: Auth) => Promise<void>
}

/** Opens and starts what sign-in consists of. Returns the function that stops it. */
export async function startCapabilities(server: Infrastructure, given: Given) {
  const { capabilities, prepare, ...settings } = given
  const { source } = settings
  const running: RunningCapability[] = []
  const limits = limitsOf(capabilities)
  const parts = runningParts(() => [application, rooms, ...running])
  const [standing] = capabilities.flatMap((each) => each.parts.standing ?? [])
  const auth = openAuth(server, { ...settings, limits, parts, standing })
  const application: Part = {
    account: {
      beforeRegister: (context, tx) => auth.configuration().beforeRegister?.(context, tx),
    },
    held: {},
  }
  const close = async () => {
    for (const { capability, opened } of running) capability.parts.stopWaiting?.(opened)
    await auth.linkMail.close()
    for (const { capability, opened } of running) await capability.parts.close?.(opened)
    await closeAuth(auth)
  }
  try {
    running.push(...runCapabilities(capabilities, { auth, server, source }))
    await prepare(auth)
    for (const { capability, held } of running) await capability.parts.start?.(held)
  } catch (error) {
    await close()
    throw error
  }
  const held = new Map(running.map((each) => [each.capability.contract.name, each.held]))
  const uninstall = installAuth(server, { auth, held })
  return async () => {
    uninstall()
    await close()
  }
}
