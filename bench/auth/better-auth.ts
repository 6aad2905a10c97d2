import { fromNodeHeaders } from 'better-auth/node'
import { serveBetterAuth } from './better-auth-server.ts'

await serveBetterAuth({}, (auth) => async (request) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  return session?.user.id
})
