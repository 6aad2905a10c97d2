import { defineRouter, route } from '../routes/contract.ts'
import type { StreamSettings } from '../streams/streams.ts'
import { securitySchemes } from './asyncapi-access.ts'
import { AsyncApiMessages } from './asyncapi-messages.ts'
import { socketChannel } from './asyncapi-socket.ts'
import { streamChannel } from './asyncapi-stream.ts'

export interface AsyncApiInfo {
  title: string
  version: string
  description?: string
  /** Where the API is. */
  url?: string
}

/**
 * An AsyncAPI 3.0 document of the streams of a server, made from the same values as the streams.
 */
export function asyncApi(
  settings: StreamSettings,
  { url = 'http://localhost:8790', ...info }: AsyncApiInfo,
) {
  const messages = new AsyncApiMessages()
  const stream = streamChannel(settings, messages)
  const socket = socketChannel(settings, messages)
  return {
    asyncapi: '3.0.0',
    info,
    defaultContentType: 'application/json',
    servers: serversOf(settings, new URL(url)),
    channels: { ...stream.channels, ...socket.channels },
    operations: { ...stream.operations, ...socket.operations },
    components: { messages: messages.components, securitySchemes: securitySchemes(settings) },
  }
}

function serversOf({ events, websockets }: StreamSettings, { protocol, host, pathname }: URL) {
  const secure = protocol === 'https:' ? 's' : ''
  const place = { host, ...(pathname !== '/' && { pathname }) }
  return {
    ...(events && { http: { ...place, protocol: `http${secure}` } }),
    ...(websockets && { ws: { ...place, protocol: `ws${secure}` } }),
  }
}

/** Serves the document of the streams, if there are any and it isn't production. */
export function asyncApiRoutes(settings: StreamSettings) {
  if (!settings.events && !settings.websockets) return defineRouter({})
  return defineRouter(
    {
      coreAsyncApi: route.get('/_core/asyncapi.json').handler((c) => {
        const { host } = c.raw.incoming.headers
        // The streams are at the address that the document was requested from.
        return asyncApi(settings, {
          title: 'API',
          version: '1',
          ...(host && { url: `http://${host}` }),
        })
      }),
    },
    { owns: '/_core/' },
  )
}
