import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { CompactEncrypt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestWeb, testSecret } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'
import { type Purpose, Sealer } from './sealer.ts'

const anotherSecret = 'Zt8rWc2LmQ5xPk9Vb3NyJf7Hd1Gs6Ae4Tu-oEi_'

const { router, routeMap, seen } = testOperations({ look: () => ({ body: {} }) })
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)

const sealer = new Sealer(testSecret)
const nextHour = () => Date.now() + 3_600_000

/** A session's cookie, and what is in it. */
async function session() {
  const page = web.browser()
  await page.call('login', await web.api.createUser())
  const value = page.cookies.get('svc_session') ?? ''
  const opened = await sealer.open('session', value, Date.now())
  if (!opened) throw new Error('That is no session.')
  return { value, content: opened.content }
}

let good: Awaited<ReturnType<typeof session>>
beforeAll(async () => {
  good = await session()
})

/** What the API says, and what it has seen, of a request with this cookie header. */
async function askWith(cookie: string) {
  const asked = await web.browser().send('getAuthSession', undefined, { cookie })
  await web.browser().send('look', undefined, { cookie })
  return { status: asked.status, headers: seen.get('look')?.headers }
}

async function expectSignedOut(cookie: string) {
  const { status, headers } = await askWith(cookie)
  expect([cookie.slice(0, 80), status]).toEqual([cookie.slice(0, 80), 401])
  expect(headers).not.toHaveProperty('authorization')
  expect(headers).not.toHaveProperty('cookie')
}

// As sealer.ts derives them: a key for each purpose, and the id in `kid`.
const derived = (label: string, bytes = 32) =>
  Buffer.from(hkdfSync('sha256', testSecret, '', `svc web ${label}`, bytes))
const kid = derived('id', 6).toString('base64url')
const key = derived('seal session')

const plain = (claims: string) => Buffer.from(claims)

/** A JWE with any header at all, under the right key. */
function craft(header: object, { secret = key, between = '', pack = plain } = {}) {
  const head = Buffer.from(JSON.stringify(header)).toString('base64url')
  const iv = randomBytes(12)
  const cipher = createCipheriv(secret.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm', secret, iv)
  cipher.setAAD(Buffer.from(head))
  const text = JSON.stringify({ content: good.content, expiresAtMillis: nextHour() })
  const sealed = Buffer.concat([cipher.update(pack(text)), cipher.final()])
  const parts = [iv, sealed, cipher.getAuthTag()].map((each) => each.toString('base64url'))
  return [head, between, ...parts].join('.')
}

const ours = { alg: 'dir', enc: 'A256GCM', kid }

const bytesOf = (part: string) => Buffer.from(part, 'base64url')

/** Opens a text by RFC 7516 alone, with nothing of ours and nothing of jose's. */
function openedByHand(value: string) {
  const [head = '', encryptedKey, iv = '', sealed = '', tag = ''] = value.split('.')
  const decipher = createDecipheriv('aes-256-gcm', key, bytesOf(iv), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(head)).setAuthTag(bytesOf(tag))
  const text = Buffer.concat([decipher.update(bytesOf(sealed)), decipher.final()])
  return {
    header: bytesOf(head).toString(),
    encryptedKey,
    iv,
    sealed: JSON.parse(text.toString()) as unknown,
  }
}

describe('a session cookie', () => {
  it('is a JWE of dir and A256GCM, which names its secret and nothing else (A-049)', () => {
    expect(openedByHand(good.value)).toMatchObject({
      header: `{"alg":"dir","enc":"A256GCM","kid":"${kid}"}`,
      encryptedKey: '',
      sealed: { content: good.content, expiresAtMillis: expect.any(Number) },
    })
  })

  it('has an initialization vector of its own each time', async () => {
    const expiresAtMillis = nextHour()
    const seal = () => sealer.seal('session', good.content, expiresAtMillis)
    const vectors = (await Promise.all(Array.from({ length: 100 }, seal))).map(
      (value) => openedByHand(value).iv,
    )
    expect(new Set(vectors).size).toBe(100)
    expect(bytesOf(vectors[0] ?? '')).toHaveLength(12)
  })

  it('opens as it was sealed (A-049)', async () => {
    expect((await askWith(`svc_session=${good.value}`)).status).toBe(200)
    // The crafted ones below are refused for what is wrong with them alone.
    expect((await askWith(`svc_session=${craft(ours)}`)).status).toBe(200)
  })

  it.each([
    '',
    'svc_session',
    'svc_session=',
    'svc_session=%',
    'svc_session=%E0%A4%A',
    'svc_session=....',
    'svc_session=a.b.c',
    'svc_session=null',
    'svc_session="',
    `svc_session=${'x'.repeat(12_000)}`,
    'svc_session=x; '.repeat(800),
    'svc_session=__proto__; =; ;;; =svc_session',
  ])('that is not one is not accepted: %.60s', (cookie) => expectSignedOut(cookie))

  it('that lacks its end or its beginning, or has more, is not accepted', async () => {
    const { value } = good
    const parts = value.split('.')
    for (const other of [
      value.slice(0, -1),
      value.slice(1),
      value.slice(0, value.length / 2),
      `${value}.`,
      `${value}.${parts[4]}`,
      parts.slice(0, 4).join('.'),
      parts.toReversed().join('.'),
      `"${value}"`,
      value.padEnd(3801, 'A'),
    ]) {
      await expectSignedOut(`svc_session=${other}`)
    }
  })

  it('in which a single bit is another is not accepted', async () => {
    const parts = good.value.split('.')
    for (const index of [0, 2, 3, 4]) {
      const bytes = Buffer.from(parts[index] ?? '', 'base64url')
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      const other = parts.with(index, bytes.toString('base64url')).join('.')
      await expectSignedOut(`svc_session=${other}`)
    }
  })

  it('is written in one way only', async () => {
    const { value } = good
    const last = value.at(-1) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    // The last character of a tag of 16 bytes has four bits that say nothing.
    const sameBytes = `${value.slice(0, -1)}${alphabet[alphabet.indexOf(last) + 1]}`
    expect(Buffer.from(sameBytes.split('.')[4] ?? '', 'base64url')).toEqual(
      Buffer.from(value.split('.')[4] ?? '', 'base64url'),
    )
    for (const other of [sameBytes, `${value}==`, value.replace('..', '.=.'), `${value}%3D`]) {
      await expectSignedOut(`svc_session=${other}`)
    }
    const standard = craft(ours).replaceAll('-', '+').replaceAll('_', '/')
    if (/[+/]/.test(standard)) await expectSignedOut(`svc_session=${standard}`)
  })

  it.each([
    [{ ...ours, alg: 'none' }],
    [{ ...ours, alg: 'A256KW' }],
    [{ ...ours, alg: 'A256GCMKW' }],
    [{ ...ours, alg: 'ECDH-ES', epk: {} }],
    [{ ...ours, alg: ['dir'] }],
    [{ ...ours, enc: 'A128GCM' }],
    [{ ...ours, enc: 'A256CBC-HS512' }],
    [{ ...ours, zip: 'DEF' }],
    [{ ...ours, crit: ['exp'], exp: 1 }],
    [{ ...ours, crit: ['b64'], b64: false }],
    [{ ...ours, crit: [] }],
    [{ ...ours, kid: 'AAAAAAAA' }],
    [{ ...ours, kid: '' }],
    [{ ...ours, kid: { toString: 'x' } }],
    [{ ...ours, kid: '__proto__' }],
    [{ alg: 'dir', enc: 'A256GCM' }],
    [{}],
  ])('with the header %j is not accepted (A-049)', (header) =>
    expectSignedOut(`svc_session=${craft(header)}`),
  )

  it('that another algorithm has sealed properly is not accepted', async () => {
    const text = new TextEncoder().encode(
      JSON.stringify({ content: good.content, expiresAtMillis: nextHour() }),
    )
    const wrapped = new CompactEncrypt(text).setProtectedHeader({ ...ours, alg: 'A256KW' })
    const short = derived('seal session').subarray(0, 16)
    for (const value of [
      await wrapped.encrypt(key),
      craft({ ...ours, enc: 'A128GCM' }, { secret: short }),
      craft(ours, { between: 'AAAA' }),
      craft({ ...ours, zip: 'DEF' }, { pack: (claims) => deflateRawSync(claims) }),
    ]) {
      await expectSignedOut(`svc_session=${value}`)
    }
    const claims = Buffer.from(JSON.stringify(good.content)).toString('base64url')
    await expectSignedOut(`svc_session=eyJhbGciOiJub25lIn0.${claims}.`)
  })

  it('under another secret is not accepted', async () => {
    const foreign = await new Sealer(anotherSecret).seal('session', good.content, nextHour())
    await expectSignedOut(`svc_session=${foreign}`)
  })

  it.each<Purpose>(['mfa pending', 'oauth pending', 'signup setup', 'password reset setup'])(
    'that was sealed as %s is not accepted',
    async (purpose) => {
      // Even with everything in it that a session has.
      await expectSignedOut(`svc_session=${await sealer.seal(purpose, good.content, nextHour())}`)
    },
  )

  it('that has expired is not accepted (A-326)', async () => {
    const expired = await sealer.seal('session', good.content, Date.now() - 1)
    await expectSignedOut(`svc_session=${expired}`)
  })

  it('that holds no key is not accepted', async () => {
    for (const privateKey of ['', '%', 'AAAA', undefined]) {
      const content = { ...good.content, privateKey } as typeof good.content
      await expectSignedOut(`svc_session=${await sealer.seal('session', content, nextHour())}`)
    }
  })

  it('beside another of the name is not accepted: one of them was planted', async () => {
    const planted = await session()
    const real = `svc_session=${good.value}`
    await expectSignedOut(`svc_session=${planted.value}; ${real}`)
    await expectSignedOut(`${real}; svc_session=${planted.value}`)
    await expectSignedOut(`${real}; svc_session=x`)
    expect((await askWith(`other=1; ${real}; svc_sessions=2`)).status).toBe(200)
  })
})

describe('a session secret', () => {
  it('that was in use before still opens what it has sealed, and no longer seals', async () => {
    const rotated = {
      SVC_AUTH_SESSION_SECRET: anotherSecret,
      SVC_AUTH_SESSION_SECRET_PREVIOUS: testSecret,
    }
    const before = new Sealer(testSecret)
    const after = new Sealer(anotherSecret)
    const page = web.browser(rotated)
    await page.call('login', await web.api.createUser())
    const value = page.cookies.get('svc_session') ?? ''
    expect(await before.open('session', value, Date.now())).toBeNull()
    const opened = await after.open('session', value, Date.now())
    if (!opened) throw new Error('That is no session.')

    const older = await before.seal('session', opened.content, nextHour())
    const cookie = `svc_session=${older}`
    const asked = await web.browser(rotated).send('getAuthSession', undefined, { cookie })
    expect(asked.status).toBe(200)
  })
})
