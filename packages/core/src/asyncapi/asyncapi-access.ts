import { type EventRouter, subprotocol, tokenPrefix } from '../events/contract.ts'
import { type StreamSettings, socketAuth, streamAuth, tokenPath } from '../streams/streams.ts'
import { reference } from './asyncapi-messages.ts'

/** The query parameters that open a connection. */
export function openingQuery(
  { eventNames: names, history }: EventRouter,
  { needsEvents = false, hasToken = false },
) {
  const absent = needsEvents ? '' : ' Without it, all events.'
  const events = {
    type: 'string',
    description: `Names of events, separated by commas, each percent-encoded by itself.${absent}`,
    examples: [names.map(encodeURIComponent).join(',')],
  }
  const token = { type: 'string', description: 'A one-time token.' }
  const description =
    'The last id that the client received. If the header Last-Event-ID is there too, the header counts.'
  const lastEventId = { type: 'string', description }
  return {
    type: 'object',
    ...(needsEvents && { required: hasToken ? ['events', 'token'] : ['events'] }),
    properties: {
      ...(names.length > 0 && { events }),
      ...(hasToken && { token }),
      ...(history && { lastEventId }),
    },
  }
}

/** How a client can send a stream token, by name. Empty if streams need no token. */
export function securitySchemes(settings: StreamSettings) {
  const description = `A one-time token: POST ${tokenPath(settings)}, authenticated like any request, answers \`{ "token" }\`. It opens one connection, and expires soon.`
  const inQuery = { type: 'httpApiKey', in: 'query', name: 'token', description }
  const asSubprotocol = {
    type: 'httpApiKey',
    in: 'header',
    name: 'Sec-WebSocket-Protocol',
    description: `\`${subprotocol}, ${tokenPrefix}<token>\`. ${description}`,
  }
  return {
    ...((streamAuth(settings) ?? socketAuth(settings)) && { tokenInQuery: inQuery }),
    ...(socketAuth(settings) && { tokenAsSubprotocol: asSubprotocol }),
  }
}

/** One of these is enough. */
export function security(...names: ('tokenInQuery' | 'tokenAsSubprotocol')[]) {
  return { security: names.map((name) => reference(`components/securitySchemes/${name}`)) }
}
