import { jwt } from 'better-auth/plugins'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { serveBetterAuth } from './better-auth-server.ts'

// An hour instead of a quarter: the tokens outlive a run.
const plugins = [jwt({ jwt: { expirationTime: '1h' } })]

await serveBetterAuth({ plugins }, (_auth, baseURL) => {
  const keys = createRemoteJWKSet(new URL('/api/auth/jwks', baseURL))
  return async ({ headers }) => {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    const { payload } = await jwtVerify(token, keys, { issuer: baseURL, audience: baseURL })
    return payload.sub
  }
})
