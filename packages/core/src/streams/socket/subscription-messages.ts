import { Type as t } from 'typebox'
import { defineMessage, type MessageMap, type subscribing } from '../../events/contract.ts'
import type { RouterStreams } from '../router-streams.ts'
import type { NameChange } from '../stream-names.ts'
import type { SocketStream } from './socket-stream.ts'

const Names = t.Object({ events: t.Array(t.String(), { minItems: 1, maxItems: 100 }) })

const fields = { add: 'data.events', remove: 'data.events' }

/** A client of a router with channels says which of them it follows, as often as it likes. */
export function subscriptionMessages(streams: RouterStreams): MessageMap {
  const message = (changeOf: (events: string[]) => Partial<NameChange>) =>
    defineMessage(Names, async ({ payload, ws }) => {
      const change = { add: [], remove: [], ...changeOf(payload.events) }
      // Messages are handed the stream that they came over.
      const changed = await streams.change(ws as SocketStream, change, fields)
      ws.send('subscribed' satisfies (typeof subscribing)[number], changed)
    })
  return {
    subscribe: message((add) => ({ add })),
    unsubscribe: message((remove) => ({ remove })),
  }
}
