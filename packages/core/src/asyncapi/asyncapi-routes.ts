import { route } from '../routes/route.ts'
import { defineRouter } from '../routes/router.ts'
import type { StreamSettings } from '../streams/access/stream-settings.ts'
import { asyncApi } from './asyncapi.ts'

/** Serves the document of what is streamed, outside of production, where anything is. */
export function asyncApiRoutes(settings: StreamSettings) {
  if (!settings.events && !settings.websockets) return defineRouter({})
  return defineRouter(
    {
      coreAsyncApi: route.get('/_core/asyncapi.json').handler((c) => {
        const { host } = c.raw.incoming.headers
        // Where it was asked for is where its streams are.
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
