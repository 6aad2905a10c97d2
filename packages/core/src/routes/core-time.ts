import { Type as t } from 'typebox'
import { route } from './route.ts'

/**
 * A device asks this before it signs a request, so it is in every contract and needs no proof
 * (A-207).
 */
export const coreTime = route
  .get('/_core/time')
  .answer(t.Object({ serverTimeMillis: t.Integer() }))
  .describe({ summary: 'The time of the server, for clients whose clock is wrong.' })
  .inContract('core.time', { proof: false })
  .handler((c) => {
    c.raw.header('cache-control', 'no-store')
    return { serverTimeMillis: c.clock.now().getTime() }
  })
