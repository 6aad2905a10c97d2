import { type StreamSettings, streamAuth, streamPath } from '../streams/streams.ts'
import { openingQuery, security } from './asyncapi-access.ts'
import {
  type AsyncApiMessages,
  connected,
  eventMessages,
  gap,
  messagesOf,
  ping,
  reference,
} from './asyncapi-messages.ts'

const form = 'Server-sent events: `event:` is the name of a message, `data:` its payload as JSON.'
const resumption =
  '`id:` is the position in the stream. Send the last one in the header `Last-Event-ID` or as `lastEventId` to get the events that you missed since.'

/** The event stream: everything goes to the client. */
export function streamChannel(settings: StreamSettings, messages: AsyncApiMessages) {
  if (!settings.events) return {}
  const { router } = settings.events
  const keys = [...eventMessages(router), connected, gap, ping].map((each) => messages.keyOf(each))
  const hasToken = streamAuth(settings) !== undefined
  const query = openingQuery(router, { needsEvents: true, hasToken })
  return {
    channels: {
      stream: {
        address: streamPath(settings),
        description: router.history ? `${form} ${resumption}` : form,
        servers: [reference('servers/http')],
        messages: messagesOf(keys),
        bindings: { http: {} },
      },
    },
    operations: {
      'stream.send': {
        action: 'send',
        channel: reference('channels/stream'),
        messages: keys.map((key) => reference(`channels/stream/messages/${key}`)),
        ...(hasToken && security('tokenInQuery')),
        bindings: { http: { method: 'GET', query, bindingVersion: '0.3.0' } },
      },
    },
  }
}
