import { defineCapability } from '../capability/capability.ts'
import { serverStateContract } from './contract.ts'
import type { TurnedOn } from './features.ts'
import { listLimitHits, openWith, readServerState } from './server-state.ts'

/** How the server is, for those who run it. It is told what options have turned on. */
export const serverStateCapability = (turnedOn: TurnedOn) =>
  defineCapability(serverStateContract, {
    open: openWith(turnedOn),
    handlers: {
      readServerState: async ({ auth, caller, c }) => {
        await auth.limits.take('server state by account', caller.userId)
        return readServerState(auth, c.raw.server)
      },
      listLimitHits: async ({ auth, caller, c }) => {
        await auth.limits.take('server state by account', caller.userId)
        return listLimitHits(auth, c.raw.server)
      },
    },
  })
