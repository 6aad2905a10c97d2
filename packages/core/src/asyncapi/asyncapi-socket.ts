import { subprotocol, tokenPrefix } from '../events/contract.ts'
import { type StreamSettings, socketAuth, socketPath } from '../streams/streams.ts'
import { openingQuery, security } from './asyncapi-access.ts'
import {
  type AsyncApiMessages,
  clientMessages,
  connected,
  eventMessages,
  gap,
  messagesOf,
  ping,
  reference,
  refusal,
} from './asyncapi-messages.ts'

const form =
  'Text frames, both ways: `{ "type", "data" }`, where `type` is the name of a message and `data` its payload.'
const resumption =
  'Except for replies, what the server sends also has an `"id"`: the position in the stream. Send the last one as `lastEventId` to get the events that you missed since.'

const headers = {
  type: 'object',
  properties: {
    'Sec-WebSocket-Protocol': {
      type: 'string',
      description: 'A browser can set no other header: a token may go here, and is not answered.',
      examples: [subprotocol, `${subprotocol}, ${tokenPrefix}<token>`],
    },
  },
}

const channel = reference('channels/socket')
const inChannel = (key: string) => reference(`channels/socket/messages/${key}`)

/**
 * The WebSocket: events go to the client, messages to the server, and each message may get a reply.
 */
export function socketChannel(settings: StreamSettings, messages: AsyncApiMessages) {
  if (!settings.websockets) return {}
  const { router } = settings.websockets
  const error = messages.keyOf(refusal)
  const sent = [...eventMessages(router), connected, gap, ping].map((each) => messages.keyOf(each))
  const exchanges = clientMessages(router.messages).map((each) => ({
    given: messages.keyOf(each.given),
    reply: messages.keyOf(each.reply),
  }))
  const hasToken = socketAuth(settings) !== undefined
  const access = hasToken ? security('tokenAsSubprotocol', 'tokenInQuery') : {}
  const query = openingQuery(router, { hasToken })
  const all = [...sent, error, ...exchanges.flatMap(({ given, reply }) => [given, reply])]
  return {
    channels: {
      socket: {
        address: socketPath(settings),
        description: router.history ? `${form} ${resumption}` : form,
        servers: [reference('servers/ws')],
        messages: messagesOf(all),
        bindings: { ws: { method: 'GET', query, headers, bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      'socket.send': {
        action: 'send',
        channel,
        messages: [...sent, error].map(inChannel),
        ...access,
      },
      ...Object.fromEntries(
        exchanges.map(({ given, reply }) => [
          `socket.receive.${given}`,
          {
            action: 'receive',
            channel,
            messages: [inChannel(given)],
            reply: { channel, messages: [reply, error].map(inChannel) },
            ...access,
          },
        ]),
      ),
    },
  }
}
