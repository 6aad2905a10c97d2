import { fromNodeHeaders } from 'better-auth/node'
import { serveBetterAuth } from './better-auth-server.ts'

// An hour instead of five minutes: no request of a run falls back to the database.
const session = { cookieCache: { enabled: true, maxAge: 60 * 60 } }

await serveBetterAuth({ session }, (auth) => async (request) => {
  const found = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  return found?.user.id
})
