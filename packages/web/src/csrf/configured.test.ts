import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { configureAuth } from '../proxy.ts'
import { requestOf, startItemsWeb } from '../test-items.ts'

const web = await startItemsWeb()
const { api, proxyWith } = web
afterAll(api.stop)

const page = await web.signedIn()
const cookies = { svc_session: page.cookies.get('svc_session') }

beforeEach(() => api.clock.set(new Date()))
afterEach(() => configureAuth({ csrf: {} }))

/** The status of a call without a token. */
async function forged(name: string, input = {}, webEnv: Record<string, string> = {}) {
  const { POST } = proxyWith({ SVC_AUTH_CSRF: 'enforce', ...webEnv })
  return (await POST(requestOf(name, { cookies, input }))).status
}

describe('configureAuth({ csrf: { mode } })', () => {
  const modes = ['off', 'warn', 'enforce'] as const
  const pairs = modes.flatMap((variable) => modes.map((mode) => ({ variable, mode })))

  it.each(pairs)('says $mode where the variable says $variable (A-344)', async (pair) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    configureAuth({ csrf: { mode: pair.mode } })
    const status = await forged('postItem', {}, { SVC_AUTH_CSRF: pair.variable })
    expect(status).toBe(pair.mode === 'enforce' ? 403 : 200)
    expect(warn).toHaveBeenCalledTimes(pair.mode === 'warn' ? 1 : 0)
  })

  it.each(['enforced', 'Enforce', '', 'true', null])(
    'refuses a mode that is none, and changes nothing: %j',
    async (mistyped) => {
      configureAuth({ csrf: { mode: 'enforce' } })
      const mode = mistyped as 'enforce' // as from a program without types
      const message = 'csrf.mode must be one of off, warn, enforce'
      expect(() => configureAuth({ csrf: { mode } })).toThrow(new TypeError(message))
      expect(await forged('postItem', {}, { SVC_AUTH_CSRF: 'off' })).toBe(403)
    },
  )

  it('leaves it to the variable where only paths are given (A-344)', async () => {
    configureAuth({ csrf: { exemptPaths: ['/hooks/kakao/unlink'] } })
    expect(await forged('postItem')).toBe(403)
    expect(await forged('postItem', {}, { SVC_AUTH_CSRF: 'off' })).toBe(200)
  })
})

describe('configureAuth({ csrf: { exemptPaths } })', () => {
  const notify = (provider: string, webEnv = {}) =>
    forged('notify', { params: { provider } }, webEnv)
  const exempt = (...exemptPaths: string[]) => configureAuth({ csrf: { exemptPaths } })

  it('exempts a path of the API with its parameters filled in (A-344)', async () => {
    exempt('/items', '/hooks/kakao/unlink')
    expect(await notify('kakao')).toBe(200)
    expect(await forged('notify', { params: { provider: 'kakao' }, query: { a: 'b' } })).toBe(200)
    expect(await forged('putItem')).toBe(200)
  })

  it('exempts it wherever the API is mounted (A-344)', async () => {
    exempt('/hooks/kakao/unlink')
    expect(await notify('kakao', { SVC_API_URL: `${api.url}/below` })).toBe(200)
    exempt('/below/hooks/kakao/unlink')
    expect(await notify('kakao', { SVC_API_URL: `${api.url}/below` })).toBe(403)
  })

  it('logs nothing of it in warn (A-344)', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    exempt('/hooks/kakao/unlink')
    expect(await notify('kakao', { SVC_AUTH_CSRF: 'warn' })).toBe(200)
    expect(warn).not.toHaveBeenCalled()
  })

  it.each([
    '',
    '/',
    '*',
    'hooks/kakao/unlink',
    '/hooks/kakao',
    '/hooks/kakao/',
    '/hooks/kakao/unlink/',
    '//hooks/kakao/unlink',
    '/hooks/kakao/unlink?',
    '/hooks/kakao/unlink#',
    '/hooks/kakao/unlinked',
    '/HOOKS/kakao/unlink',
    '/hooks/Kakao/unlink',
    '/hooks/kaka%6F/unlink',
    '/hooks/:provider/unlink',
    '/hooks/*/unlink',
    '/hooks/naver/../kakao/unlink',
    'notify',
    '/api/rpc/notify',
    'POST /hooks/kakao/unlink',
    'http://localhost/hooks/kakao/unlink',
  ])('does not exempt /hooks/kakao/unlink by "%s" (A-344)', async (path) => {
    exempt(path)
    expect(await notify('kakao')).toBe(403)
  })

  it.each([
    'naver',
    'Kakao',
    'kaka',
    'kakao ',
    ' kakao',
    'kaka%6F',
    'kakao?',
    'kakao#',
    'kakao;',
    'kákao',
  ])('does not exempt another parameter: "%s" (A-344)', async (provider) => {
    exempt('/hooks/kakao/unlink')
    expect(await notify(provider)).toBe(403)
  })

  it.each(['kakao/unlink', '..', '.', '', 'x/../kakao', '..\\kakao'])(
    'is not reached by a parameter that is more than one: "%s" (A-344)',
    async (provider) => {
      exempt('/hooks/kakao/unlink')
      expect(await notify(provider)).toBe(400)
    },
  )

  it('exempts no other operation by what its caller says of a path (A-344)', async () => {
    exempt('/hooks/kakao/unlink')
    const params = { provider: 'kakao', path: '/hooks/kakao/unlink' }
    expect(await forged('postItem', { params, query: params, body: params })).toBe(403)
  })
})
