import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'

const ask = (path: string) => fetch(`${app.web}${path}`)

describe('the web host', () => {
  it('forwards /_auth/ to the API, and nothing else of that kind (A-007)', async () => {
    const answer = await ask('/_auth/session')
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { code: 'UnauthorizedError' } })
    expect((await ask('/_ops/session')).status).toBe(404)
    expect((await ask('/_core/health')).status).toBe(404)
  })

  it('forwards what describes passkeys and the authorization server, and no other well-known document (A-007)', async () => {
    // The API has none yet: its 404 is an envelope, and the web host's a page.
    for (const name of ['webauthn', 'oauth-authorization-server']) {
      const document = await ask(`/.well-known/${name}`)
      expect(document.headers.get('content-type'), name).toContain('application/json')
    }
    const other = await ask('/.well-known/security.txt')
    expect(other.headers.get('content-type')).toContain('text/html')
  })
})
