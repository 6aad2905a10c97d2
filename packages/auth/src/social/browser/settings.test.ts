import {
  createLogger,
  defineServer,
  EnvironmentError,
  type EnvironmentSource,
  type Log,
  startServer,
} from '@svc/core'
import { describe, expect, it } from 'vitest'
import { createAuthLifecycle } from '../../lifecycle.ts'
import { readProviderSettings } from '../../providers/provider-settings.ts'
import { reportHalfSet } from '../../providers/providers.ts'
import { errorPage, readResultPages } from '../held.ts'

const keys = `a:${Buffer.alloc(32, 7).toString('base64')}`
const app = { NEXT_PUBLIC_SVC_APP_URL: 'https://app.example.com' }

/** What is wrong with variables, as a server starts whose database is not there. */
async function problemsAtBoot(env: EnvironmentSource): Promise<readonly string[]> {
  const failure = await startServer(defineServer().lifecycle(createAuthLifecycle()), {
    env: {
      DATABASE_URL: 'postgres://nobody@localhost:1/none',
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough for any check',
      ...app,
      ...env,
    },
    log: createLogger({ level: 'silent' }),
    port: 0,
  }).catch((error: unknown) => error)
  if (failure instanceof EnvironmentError) return failure.problems
  expect(String(failure)).toContain('localhost:1')
  return []
}

describe('sign-in on the web', () => {
  it.each(['google', 'github', 'naver'] as const)(
    'is on for %s only when id and secret are both set (A-086)',
    (provider) => {
      const prefix = `SVC_AUTH_${provider.toUpperCase()}_CLIENT`
      const id = { [`${prefix}_ID`]: 'an-id' }
      const secret = { [`${prefix}_SECRET`]: 'a-secret' }
      const web = (source: EnvironmentSource) => readProviderSettings(source)[provider].web

      expect(web({})).toBeNull()
      expect(web(id)).toBeNull()
      expect(web(secret)).toBeNull()
      expect(web({ ...id, ...secret })).toMatchObject({
        clientId: 'an-id',
        clientSecret: 'a-secret',
      })
    },
  )

  it.each([
    [{ SVC_AUTH_GOOGLE_CLIENT_ID: 'id' }, 'SVC_AUTH_GOOGLE_CLIENT_SECRET'],
    [{ SVC_AUTH_NAVER_CLIENT_SECRET: 'secret' }, 'SVC_AUTH_NAVER_CLIENT_ID'],
  ])('has a warning for half of the two: %j', (source, missing) => {
    const warned: unknown[] = []
    const log = { warn: (...given: unknown[]) => warned.push(given) } as unknown as Log
    reportHalfSet(source, { log })
    reportHalfSet(everyClient, { log })
    reportHalfSet({}, { log })
    expect(warned).toEqual([
      [{ missing }, expect.stringContaining('one of its variables is missing')],
    ])
  })

  it('is on for Kakao with the REST API key alone, and has a secret only when one is set (A-090)', () => {
    const id = { SVC_AUTH_KAKAO_CLIENT_ID: 'rest-key' }
    expect(readProviderSettings({ SVC_AUTH_KAKAO_CLIENT_SECRET: 'secret' }).kakao.web).toBeNull()
    expect(readProviderSettings(id).kakao.web).toMatchObject({ clientId: 'rest-key' })
    expect(readProviderSettings(id).kakao.web).not.toHaveProperty('clientSecret')
    const both = readProviderSettings({ ...id, SVC_AUTH_KAKAO_CLIENT_SECRET: 'secret' })
    expect(both.kakao.web).toMatchObject({ clientSecret: 'secret' })
  })

  it('is never on for Apple', () => {
    expect(readProviderSettings({ SVC_AUTH_APPLE_CLIENT_IDS: 'com.example' }).apple.web).toBeNull()
  })

  it('asks for these scopes unless others are listed (A-087)', () => {
    expect(scopes({})).toEqual({
      google: ['email', 'profile'],
      github: ['read:user', 'user:email'],
      kakao: ['account_email'],
    })
    const others = {
      SVC_AUTH_GOOGLE_SCOPES: 'openid, email',
      SVC_AUTH_GITHUB_SCOPES: 'user',
      SVC_AUTH_KAKAO_SCOPES: 'openid,account_email',
    }
    expect(scopes(others)).toEqual({
      google: ['openid', 'email'],
      github: ['user'],
      kakao: ['openid', 'account_email'],
    })
  })

  it('comes back to the app unless told otherwise (A-088)', () => {
    const path = (provider: string) => `/_auth/oauth/${provider}/callback`
    for (const [source, origin] of [
      [app, 'https://app.example.com'],
      [{ SVC_APP_URL: 'https://app.example.com/' }, 'https://app.example.com'],
      [{}, 'http://localhost:3790'],
    ] as const) {
      expect(redirectUris(source)).toEqual({
        google: `${origin}${path('google')}`,
        github: `${origin}${path('github')}`,
        kakao: `${origin}${path('kakao')}`,
        naver: `${origin}${path('naver')}`,
      })
    }
    const given = { SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK: 'off', ...overrides('https://api.test') }
    expect(redirectUris({ ...app, ...given })).toEqual({
      google: `https://api.test${path('google')}`,
      github: `https://api.test${path('github')}`,
      kakao: `https://api.test${path('kakao')}`,
      naver: `https://api.test${path('naver')}`,
    })
  })

  it('needs a key that tokens are encrypted with (A-079)', async () => {
    expect(await problemsAtBoot(everyClient)).toEqual([
      'SVC_AUTH_TOKEN_ENCRYPTION_KEYS is required for sign-in on the web with google, github, naver, kakao',
    ])
    expect(await problemsAtBoot({ ...everyClient, SVC_AUTH_TOKEN_ENCRYPTION_KEYS: keys })).toEqual(
      [],
    )
    expect(await problemsAtBoot({ SVC_AUTH_APPLE_CLIENT_IDS: 'com.example' })).toEqual([])
  })
})

const everyClient = {
  SVC_AUTH_GOOGLE_CLIENT_ID: 'google-id',
  SVC_AUTH_GOOGLE_CLIENT_SECRET: 'google-secret',
  SVC_AUTH_GITHUB_CLIENT_ID: 'github-id',
  SVC_AUTH_GITHUB_CLIENT_SECRET: 'github-secret',
  SVC_AUTH_NAVER_CLIENT_ID: 'naver-id',
  SVC_AUTH_NAVER_CLIENT_SECRET: 'naver-secret',
  SVC_AUTH_KAKAO_CLIENT_ID: 'kakao-id',
}

function scopes(source: EnvironmentSource) {
  const { google, github, kakao } = readProviderSettings({ ...everyClient, ...source })
  return { google: google.web?.scopes, github: github.web?.scopes, kakao: kakao.web?.scopes }
}

function redirectUris(source: EnvironmentSource) {
  const { google, github, kakao, naver } = readProviderSettings({ ...everyClient, ...source })
  return {
    google: google.web?.redirectUri,
    github: github.web?.redirectUri,
    kakao: kakao.web?.redirectUri,
    naver: naver.web?.redirectUri,
  }
}

function overrides(origin: string) {
  return {
    SVC_AUTH_GOOGLE_REDIRECT_URI: `${origin}/_auth/oauth/google/callback`,
    SVC_AUTH_GITHUB_REDIRECT_URI: `${origin}/_auth/oauth/github/callback`,
    SVC_AUTH_KAKAO_REDIRECT_URI: `${origin}/_auth/oauth/kakao/callback`,
    SVC_AUTH_NAVER_REDIRECT_URI: `${origin}/_auth/oauth/naver/callback`,
  }
}

describe('a redirect URI', () => {
  const callback = '/_auth/oauth/google/callback'

  it.each([
    'not an address',
    callback,
    `https://api.example.com${callback}`,
    `https://example.com${callback}`,
    `https://app.example.com.evil.example${callback}`,
    `https://app.example.com./${callback}`,
    `https://xn--pp-yia.example.com${callback}`,
    `https://äpp.example.com${callback}`,
    `http://app.example.com${callback}`,
    `https://app.example.com:8443${callback}`,
    `https://user@app.example.com${callback}`,
    `https://app.example.com@evil.example${callback}`,
    `https://app.example.com${callback}/`,
    `https://app.example.com${callback}?a=b`,
    `https://app.example.com${callback}#a`,
    'https://app.example.com/_auth/oauth/github/callback',
    'https://app.example.com/_auth/oauth/g%6Fogle/callback',
    'https://app.example.com/',
  ])('keeps the server from starting when it is %s', async (uri) => {
    expect(await problemsAtBoot({ SVC_AUTH_GOOGLE_REDIRECT_URI: uri })).toEqual([
      `SVC_AUTH_GOOGLE_REDIRECT_URI must be https://app.example.com${callback}, on the origin of the app URL: leave it unset`,
    ])
  })

  it('must be the callback on the app: one error names every one that is not (A-275)', async () => {
    const problems = (env: EnvironmentSource) => problemsAtBoot(env)
    expect(await problems(overrides('https://app.example.com'))).toEqual([])
    expect(await problems(overrides('https://app.example.com:443'))).toEqual([])
    expect(await problems(overrides('https://api.example.com'))).toEqual([
      'SVC_AUTH_GOOGLE_REDIRECT_URI must be https://app.example.com/_auth/oauth/google/callback, on the origin of the app URL: leave it unset',
      'SVC_AUTH_GITHUB_REDIRECT_URI must be https://app.example.com/_auth/oauth/github/callback, on the origin of the app URL: leave it unset',
      'SVC_AUTH_KAKAO_REDIRECT_URI must be https://app.example.com/_auth/oauth/kakao/callback, on the origin of the app URL: leave it unset',
      'SVC_AUTH_NAVER_REDIRECT_URI must be https://app.example.com/_auth/oauth/naver/callback, on the origin of the app URL: leave it unset',
    ])
    const unparsable = { SVC_AUTH_NAVER_REDIRECT_URI: 'https://' }
    expect(await problems(unparsable)).toHaveLength(1)
  })

  it('goes unchecked with exactly `off` and nothing else (A-094)', async () => {
    const elsewhere = overrides('https://api.example.com')
    const problems = (check?: string) =>
      problemsAtBoot({ ...elsewhere, SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK: check })

    expect(await problems('off')).toEqual([])
    for (const check of [undefined, '', 'OFF', 'Off', ' off', 'off ', 'false', '0', 'no', 'on']) {
      expect(await problems(check), check).toHaveLength(4)
    }
  })
})

describe('sign-in in apps', () => {
  const audiences = (source: EnvironmentSource) =>
    Object.fromEntries(
      Object.entries(readProviderSettings(source)).map(([id, each]) => [id, each.nativeAudiences]),
    )
  const nowhere = { google: [], github: [], naver: [], kakao: [], apple: [] }

  it('is on for Google with its list, which the web client joins (A-089)', () => {
    const web = { SVC_AUTH_GOOGLE_CLIENT_ID: 'web' }
    const own = { SVC_AUTH_GOOGLE_NATIVE_CLIENT_IDS: 'ios, android' }
    expect(audiences(web)).toEqual(nowhere)
    expect(audiences(own)).toEqual({ ...nowhere, google: ['ios', 'android'] })
    expect(audiences({ ...own, ...web })).toEqual({ ...nowhere, google: ['ios', 'android', 'web'] })
  })

  it('is on for Kakao with its list or the REST API key, or both (A-091)', () => {
    const web = { SVC_AUTH_KAKAO_CLIENT_ID: 'rest' }
    const own = { SVC_AUTH_KAKAO_NATIVE_CLIENT_IDS: 'app-1,app-2' }
    expect(audiences(web)).toEqual({ ...nowhere, kakao: ['rest'] })
    expect(audiences(own)).toEqual({ ...nowhere, kakao: ['app-1', 'app-2'] })
    expect(audiences({ ...own, ...web })).toEqual({ ...nowhere, kakao: ['app-1', 'app-2', 'rest'] })
  })

  it('is on for Naver with its client, which a list adds to (A-092)', () => {
    const web = { SVC_AUTH_NAVER_CLIENT_ID: 'web' }
    const own = { SVC_AUTH_NAVER_NATIVE_CLIENT_IDS: 'app,web' }
    expect(audiences(web)).toEqual({ ...nowhere, naver: ['web'] })
    expect(audiences({ ...own, ...web })).toEqual({ ...nowhere, naver: ['app', 'web'] })
  })

  it('is on for Apple with its list (A-093)', () => {
    expect(audiences({})).toEqual(nowhere)
    expect(audiences({ SVC_AUTH_APPLE_CLIENT_IDS: 'com.example.app,com.example.web' })).toEqual({
      ...nowhere,
      apple: ['com.example.app', 'com.example.web'],
    })
  })
})

describe('the page after sign-in', () => {
  it('is /auth/callback unless told otherwise (A-095)', () => {
    const read = (page?: string) => readResultPages({ SVC_AUTH_OAUTH_SUCCESS_URL: page }).success
    expect(read()).toBe('/auth/callback')
    expect(read('/welcome?from=oauth')).toBe('/welcome?from=oauth')
    expect(read('https://app.example.com/welcome')).toBe('https://app.example.com/welcome')
  })

  it('says after a failure what it was (A-096)', () => {
    const { error } = readResultPages({})
    expect(error).toBe('/auth/error?error={error}')
    const own = { SVC_AUTH_OAUTH_ERROR_URL: '/sorry?why={error}' }
    expect(readResultPages(own).error).toBe('/sorry?why={error}')
    expect(errorPage(error, 'state_invalid')).toBe('/auth/error?error=state_invalid')
    expect(errorPage('/{error}?a={error}', "$&$'/")).toBe(`/%24%26%24'%2F?a=%24%26%24'%2F`)
  })

  it.each(['SVC_AUTH_OAUTH_SUCCESS_URL', 'SVC_AUTH_OAUTH_ERROR_URL'])(
    'of %s is a page, or the server does not start',
    async (name) => {
      for (const page of ['welcome', '//evil.example/', '/a/../b', 'javascript:alert(1)', '/\\a']) {
        expect(await problemsAtBoot({ [name]: page }), page).toEqual([
          `${name} must be a path of the web app or an address such as https://app.example.com`,
        ])
      }
    },
  )
})
