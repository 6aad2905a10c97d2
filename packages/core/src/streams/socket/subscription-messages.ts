import { Type as t } from 'typebox'
import { defineMessage, type MessageMap, type subscribing } from '../../events/contract.ts'
import type { RouterStreams } from '../router-streams.ts'
import type { NameChange } from '../stream-names.ts'
import type { SocketStream } from './socket-stream.ts'

const Names = t.Object({ events: t.Array(t.String(), { minItems: 1, maxItems: 100 }) })

const fields = { add: 'data.events', remove: 'data.events' }

/** Lets a client of a router with channels change which of them it follows, at any time. */
export function subscriptionMessages(streams: RouterStreams): MessageMap {
  const message = (changeOf: (events: string[]) => Partial<NameChange>) =>
    defineMessage(Names, async ({ payload, ws }) => {
      const change = { add: [], remove: [], ...changeOf(payload.events) }
      // A message's handler gets the stream that it came over.
      const changed = await streams.change(ws as SocketStream, change, fields)
      ws.send('subscribed' satisfies (typeof subscribing)[number], changed)
    })
  return {
    subscribe: message((add) => ({ add })),
    unsubscribe: message((remove) => ({ remove })),
  }
}
