import { defineCapability } from '../capability/capability.ts'
import { openStreamActs } from './acts.ts'
import { openStreamContract } from './contract.ts'
import { endStream, listStreams } from './open-streams.ts'

export const openStreamCapability = defineCapability(openStreamContract, {
  audit: openStreamActs,
  handlers: {
    listStreams: async ({ auth, caller, query, c }) => {
      await auth.limits.take('stream list by account', caller.userId)
      return listStreams(auth, c.raw.server.streams, { reader: caller, query })
    },
    endStream: async ({ auth, caller, params, origin, c }) => {
      await auth.limits.take('stream end by account', caller.userId)
      await endStream(auth, c.raw.server.streams, { caller, ...params, origin })
      return c.noContent()
    },
  },
})
