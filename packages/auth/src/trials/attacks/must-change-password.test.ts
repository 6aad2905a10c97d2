import { request } from 'node:http'
import { defineRouter, route } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { configureAuth } from '../../configure-auth.ts'
import { oneTimeTokenAuth } from '../../one-time-token/one-time-token.ts'
import { startTestAuth, type TestUser } from '../../testing.ts'

const router = defineRouter({
  stream: route
    .get('/stream')
    .use([oneTimeTokenAuth])
    .handler(() => 'opened'),
})
const auth = await startTestAuth({ router })
let user: TestUser
let token: string
beforeAll(async () => {
  user = await auth.signedInUser()
  token = (await auth.call('issueOneTimeToken', undefined, user.key)).body.token
  configureAuth({ enforcePasswordChange: true })
  await auth.auth.db
    .update(users)
    .set({ passwordChangeRequired: true })
    .where(eq(users.userId, user.userId))
})
afterAll(async () => {
  configureAuth({ enforcePasswordChange: false })
  await auth.stop()
})

/** The request line exactly as it is given, and signed as it is given. */
async function ask(method: string, target: string) {
  const { hostname, port } = new URL(auth.url)
  const signed = await auth.signerOf(user.key)({ method, url: `${auth.url}${target}`, body: '' })
  const path = target
  const sent = request({ hostname, port, method, path, headers: { ...signed } })
  return new Promise<number | undefined>((resolve, reject) => {
    sent
      .on('error', reject)
      .on('response', (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode)
      })
      .end()
  })
}

describe('an account that has to change its password', () => {
  it('sees its session', async () => {
    expect(await ask('GET', '/_auth/session')).toBe(200)
    expect(await ask('GET', '/_auth/session?/_auth/tokens')).toBe(200)
  })

  it.each([
    ['GET', '/_auth/users/profile'],
    ['HEAD', '/_auth/users/profile'],
    ['GET', '/_auth/users/profile?/_auth/session'],
    ['GET', '/_auth/users/%70rofile'],
    ['GET', '/%5Fauth/users/profile'],
    ['POST', '/_auth/tokens'],
    ['POST', '/_auth/tokens?GET /_auth/session'.replace(' ', '%20')],
  ])('gets no further by %s %s', async (method, target) => {
    expect(await ask(method, target)).toBe(403)
  })

  it.each(['//_auth/users/profile', '/_auth//users/profile', '/_auth/session/../users/profile'])(
    'finds nothing at %s',
    async (target) => {
      expect(await ask('GET', target)).toBe(404)
    },
  )

  it('opens nothing with a one-time token that it has from before', async () => {
    const answer = await auth.fetch(`/stream?token=${token}`)
    expect(answer.status).toBe(403)
  })
})
