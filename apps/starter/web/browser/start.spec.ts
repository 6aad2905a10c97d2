import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serveUntilReady, serveWebApp } from '../../../../scripts/browser/serve-web-app.ts'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { ask } from './ask.ts'
import { app } from './running-web-app.ts'
import { freeAddress, sessionSecret } from './test-web-app.ts'

const isWeak = 'SVC_AUTH_SESSION_SECRET must have at least 32 characters'
const isForeign = 'SVC_AUTH_TOKEN_ENCRYPTION_KEYS is for the API only'

const refused: [why: string, env: Record<string, string | undefined>, problems: string[]][] = [
  [
    'everything wrong at once',
    {
      SVC_AUTH_SESSION_SECRET: 'weak',
      SVC_AUTH_TOKEN_ENCRYPTION_KEYS: 'k1:0123',
      SVC_AUTH_CSRF: 'perhaps',
    },
    [isWeak, isForeign, 'SVC_AUTH_CSRF must be'],
  ],
  ['no secret', { SVC_AUTH_SESSION_SECRET: undefined }, ['SVC_AUTH_SESSION_SECRET is required']],
  ['a weak secret', { SVC_AUTH_SESSION_SECRET: 'weak' }, [isWeak]],
  ['a key of the server', { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: 'k1:0123' }, [isForeign]],
]

describe('a web process', () => {
  it.each(orFew(refused))('does not start with %s (A-343)', async (_, env, problems) => {
    const url = await freeAddress()
    const served = serveWebApp({ folder: app.folder, url, env: { ...app.env, ...env } })
    onTestFinished(served.stop)
    expect(await served.ended).toBe('ended with code 1')
    for (const problem of problems) expect(served.lines.join('\n')).toContain(problem)
    expect(served.lines.join('\n')).not.toContain(sessionSecret)
  })

  // At 60 s nginx and cloud load balancers close a connection. If they close first, no request is
  // lost.
  it('keeps an idle connection for longer than what stands before it', async () => {
    const { headers } = await ask('/login')
    expect(headers['keep-alive']).toBe('timeout=65')
  })

  it('goes on for SVC_SHUTDOWN_DELAY after the signal, while its readiness says 503 (F27)', async () => {
    const env = { ...app.env, SVC_SHUTDOWN_DELAY: '1s' }
    const served = await serveUntilReady({ folder: app.folder, url: await freeAddress(), env })
    const began = performance.now()
    const stopped = served.stop().then(() => performance.now() - began)
    const answer = (path: string) => fetch(served.url + path)
    await vi.waitFor(async () => expect((await answer('/_web/health/ready')).status).toBe(503), 900)
    const page = await answer('/login')
    expect([page.status, page.headers.get('connection')]).toEqual([200, 'close'])
    expect(await stopped).toBeGreaterThan(950)
    await expect(answer('/login')).rejects.toThrow()
  })
})
