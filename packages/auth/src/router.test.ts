import { defineRouter, defineServer } from '@svc/core'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { InvalidCredentialsError } from './accounts/errors.ts'
import { authApi, createAuthApi } from './auth-api.ts'
import { authContract } from './auth-contract.ts'
import { KeyNotFoundError } from './crypto/errors.ts'
import { createAuthLifecycle } from './lifecycle.ts'
import { files, filesServer } from './oauth2/testing/test-resource-server.ts'
import { routeMap } from './route-map.generated.ts'
import { authRouter } from './router.ts'
import { createTestKey, startTestAuth } from './testing.ts'

const options = {
  authorizationServer: {
    scopes: { board: 'Read the board' },
    resources: ['/', files],
    resourceServers: { [files]: filesServer },
    deviceGrant: true,
  },
  support: { consent: 'code' as const },
}
const auth = await startTestAuth({ options })
afterAll(auth.stop)
afterEach(() => vi.unstubAllGlobals())

describe('authApi', () => {
  it('calls every operation by its name (A-002)', async () => {
    const { email, password, userId } = await auth.createUser()
    const key = await createTestKey()
    const api = createAuthApi({ baseUrl: auth.url, sign: auth.signerOf(key) })

    const result = await api.login.call({ body: { email, password, ...key.registration } })
    expect(result).toMatchObject({ mfaRequired: false, userId })
    expect((await api.getAuthSession.call()).keyId).toBe(key.keyId)
    for (const name of Object.keys(authContract) as (keyof typeof authContract)[]) {
      expect(api[name].call).toBeTypeOf('function')
    }
  })

  it('works with nothing configured (A-003)', async () => {
    // Where nothing is said, the API is on this machine; a test has it on another port.
    const send = fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      send(url.replace('http://localhost:8790/', `${auth.url}/`), init),
    )
    const { registration } = await createTestKey()
    const body = { email: 'nobody@example.com', password: 'some password', ...registration }

    const outcome = await authApi.login.try({ body })
    expect(outcome.ok).toBe(false)
    expect(outcome).toMatchObject({ error: expect.any(InvalidCredentialsError) })
  })

  it('has the route map of the router', () => {
    const operations = Object.entries(authRouter.routes).map(([name, { operation }]) => [
      name,
      { method: operation.method, path: operation.path },
    ])
    expect(Object.keys(routeMap)).toEqual(operations.map(([name]) => name))
    expect(routeMap).toMatchObject(Object.fromEntries(operations))
  })
})

/** With a provider that there is. */
const pathFor = (path: string) => path.replace(':provider', 'kakao').replaceAll(/:\w+/g, 'x')

describe('authRouter', () => {
  it('answers for every operation once it is merged into an application (A-006)', async () => {
    const statuses = await Promise.all(
      Object.entries(routeMap).map(async ([name, { method, path }]) => {
        const answer = await auth.fetch(pathFor(path), { method, redirect: 'manual' })
        return { name, status: answer.status, resource: (await answer.json()).resource }
      }),
    )
    for (const { name, status, resource } of statuses) {
      // Its body may be empty, and it is for signed-in users.
      const others = name === 'registerOAuth2Client' ? [403] : []
      expect(status, name).toBeOneOf([200, 400, 401, 415, ...others])
      expect(resource).toBeUndefined()
    }
  })

  it('has no operation that says whether an account exists (A-005)', async () => {
    const exists = await auth.fetch('/_auth/exists', { method: 'POST' })
    const unknown = await auth.fetch('/_auth/no-such-thing', { method: 'POST' })
    const said = async (answer: Response) => {
      const { error, ...body } = await answer.json()
      return { status: answer.status, ...body, code: error.code }
    }
    expect(await said(exists)).toEqual(await said(unknown))
    expect(exists.status).toBe(404)
  })

  it('answers as the table of success statuses says, one for each operation (A-008)', () => {
    const others = Object.entries(authContract).flatMap(([name, { operation }]) =>
      operation.answer?.status === 200 ? [] : [`${operation.answer?.status} ${name}`],
    )
    expect(others.toSorted()).toEqual([
      '201 createAdminRole',
      '201 createInvitation',
      '201 createUser',
      '201 registerOAuth2Client',
      '204 approveCall',
      '204 cancelAccountDeletion',
      '204 cancelJob',
      '204 changePassword',
      '204 decideOAuth2DeviceRequest',
      '204 deleteAdminRole',
      '204 deleteInvitation',
      '204 denyDeviceAuth',
      '204 endAgentGrant',
      '204 endStream',
      '204 endSupportSession',
      '204 keepFactor',
      '204 logout',
      '204 mfaDisable',
      '204 mfaStepUp',
      '204 proveRecent',
      '204 reactivateUser',
      '204 refuseCall',
      '204 requireNewPassword',
      '204 resendUserMail',
      '204 restoreUser',
      '204 retryJob',
      '204 stopFactorRemoval',
      '204 suspendUser',
      '302 oauthCallback',
      '302 redirectToProvider',
    ])
  })

  it('has no version in its paths beyond /_auth/ (A-009)', () => {
    for (const { path } of Object.values(routeMap)) expect(path).not.toMatch(/\/v\d/)
  })

  it('brings its own guards, also where an application has forgotten them', async () => {
    const careless = defineServer()
      .routes(defineRouter({}).packages([authRouter]))
      .lifecycle(createAuthLifecycle(options))
    const open = await startTestAuth({ definition: careless })
    const unguarded = ['public', 'setup', 'optional']
    const guarded = Object.entries(authContract).filter(
      ([, { access }]) => !unguarded.includes(access),
    )
    for (const [, { operation }] of guarded) {
      const path = operation.path.replaceAll(/:\w+/g, 'x')
      expect((await open.fetch(path, { method: operation.method })).status).toBe(401)
    }
    await open.stop()
  })

  it('answers nothing that a cache may keep', async () => {
    const { key } = await auth.signedInUser()
    const answers = [
      await auth.call('getAuthSession', undefined, key),
      await auth.call('getAuthSession'),
      await auth.call('checkUsername', undefined, undefined, { query: { username: 'free' } }),
    ]
    const unknown = await auth.fetch('/_auth/no-such-thing')
    for (const { headers } of [...answers, unknown]) {
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('refusals', () => {
  it('have one envelope, with class, message and request id, and nothing of the cause (A-372, A-369)', async () => {
    const answer = await auth.call('login', { email: 'a' })
    expect(answer.body).toEqual({
      __type: 'ValidationError',
      message: expect.any(String),
      fields: expect.any(Array),
      error: {
        code: 'ValidationError',
        message: answer.body.message,
        requestId: answer.headers.get('x-request-id'),
      },
    })
    const withPlace = vi.spyOn(auth.auth.passwords, 'withPlace')
    withPlace.mockRejectedValueOnce(new Error('the secret cause'))
    const { registration } = await createTestKey()
    const body = { email: 'nobody@example.com', password: 'some password', ...registration }
    const failed = await auth.call('login', body)

    expect(failed).toMatchObject({
      status: 500,
      body: { __type: 'Error', error: { code: 'Error', message: 'Internal Server Error' } },
    })
    expect(JSON.stringify(failed.body)).not.toContain('secret cause')
  })

  it('arrive as the classes they are', async () => {
    const user = await auth.signedInUser()
    const api = createAuthApi({ baseUrl: auth.url, sign: auth.signerOf(user.key) })
    const refused = await api.revokeKey.try({ body: { keyId: 'no-such-key' } })

    expect(refused).toMatchObject({ ok: false, error: expect.any(KeyNotFoundError) })
  })
})
