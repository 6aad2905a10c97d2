import {
  unstable_getResponseFromNextConfig as answerOf,
  getRewrittenUrl,
} from 'next/experimental/testing/server.js'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuthForwarding } from '../forwarding.ts'
import { startTestWeb } from '../test-browser.ts'
import { authRewrites } from './rewrites.ts'

const web = await startTestWeb()
afterAll(web.api.stop)
const { GET } = createAuthForwarding({ apiUrl: web.api.url, env: web.env })

/** Where the web host passes a request on to, or null where it has no page of that path. */
async function rewritten(path: string, rewrites = authRewrites()) {
  const nextConfig = { rewrites: async () => rewrites }
  return getRewrittenUrl(await answerOf({ url: `http://web.test${path}`, nextConfig }))
}

describe('a web host with the rewrites', () => {
  it('forwards /_auth/ to the API, a callback of a provider too, and has none without (A-007)', async () => {
    const callback = '/_auth/oauth/google/callback?state=s&code=c'
    const to = (await rewritten(callback)) as string
    const codeOf = async (answer: Response) => [answer.status, (await answer.json()).error.code]
    const said = await codeOf(await GET(new Request(to)))
    expect(said).toEqual(await codeOf(await web.api.fetch(callback)))
    expect(said[0]).not.toBe(404)
    const session = await GET(new Request((await rewritten('/_auth/session')) as string))
    expect(session.status).toBe(401)
    expect(await rewritten(callback, [])).toBeNull()
  })

  it('forwards nothing else of the API (A-007)', async () => {
    for (const path of [
      '/_ops/metrics',
      '/_core/health',
      '/account',
      '/.well-known/security.txt',
    ]) {
      expect(await rewritten(path)).toBeNull()
    }
  })
})
