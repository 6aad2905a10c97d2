import {
  clientAddress,
  defineMiddleware,
  PayloadTooLargeError,
  readBody,
  TooManyRequestsError,
} from '@svc/core'
import { authOf } from '../auth.ts'
import type { Counted } from '../capability/contract.ts'

// What proxies take as an address, unless they are set up otherwise.
const limitBytes = 8192
const urlencoded = /^application\/x-www-form-urlencoded(?:;|$)/i

interface Place {
  readonly path: string
  readonly counted: Exclude<Counted, 'uncounted'>
}

/**
 * Redirects a form of a browser to the GET of the same path. A page of any site can send one in the browser of a
 * signed-in user, so it must never reach what the POST does.
 */
export const formAsGet = ({ path, counted }: Place) =>
  defineMiddleware(
    'auth-form',
    async (c, next) => {
      const { 'content-type': type = '', authorization } = c.incoming.headers
      if (!urlencoded.test(type) || authorization !== undefined) return next()
      await authOf(c.server).limits.take(counted, clientAddress(c))
      c.maxBodyBytes = Math.min(c.maxBodyBytes, limitBytes)
      const body = await readBody(c)
      // The proxy guard may have read it by the limit of the server.
      if (body.length > limitBytes) throw new PayloadTooLargeError({ limitBytes })
      c.header('cache-control', 'no-store')
      return c.redirect(`${path}?${new URLSearchParams(body.toString('utf8'))}`, 303)
    },
    { documents: { errors: [TooManyRequestsError, PayloadTooLargeError] } },
  )
