import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, askForPayload, cookiesOf } from './ask.ts'
import { guardedPages, openPages } from './pages.ts'
import { app } from './running-web-app.ts'
import { encryptionKey, sessionSecret, verificationSecret } from './test-web-app.ts'
import { newVisitor } from './visitor.ts'

/** The secrets of both processes, and how a private key of P-256 begins in PKCS #8. */
const secrets = [
  sessionSecret,
  verificationSecret,
  encryptionKey,
  app.providers.env.SVC_AUTH_GOOGLE_CLIENT_SECRET,
  app.providers.env.SVC_AUTH_GITHUB_CLIENT_SECRET,
  'MIGHAgEAMBMGByqGSM49',
  'BEGIN PRIVATE KEY',
  '"privateKey"',
  '"setupSecret"',
]

function secretsIn(text: string) {
  return secrets.filter((secret) => text.includes(secret))
}

const staticFolder = join(app.folder, '.next', 'static')
const bundles = readdirSync(staticFolder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.\w+$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(staticFolder, name), 'utf8') }))

const user = await app.api.createUser({ role: 'superadmin' })

describe('no secret', () => {
  it('is in a page or its payload', async () => {
    const cookie = await cookiesOf(user)
    for (const path of [...openPages, ...guardedPages]) {
      const answers = [
        await ask(path),
        await ask(path, { cookie }),
        await askForPayload(path, { cookie }),
      ]
      for (const { body } of answers) {
        expect({ path, found: secretsIn(body) }).toEqual({ path, found: [] })
        expect(body).not.toContain(cookie.split('=')[1]?.split(';')[0])
      }
    }
  })

  it('is in what browsers are served, nor the name of a variable that holds one', () => {
    expect(bundles.filter(({ name }) => name.endsWith('.js')).length).toBeGreaterThan(5)
    for (const { name, text } of bundles) {
      const found = [...secretsIn(text), ...(text.match(/SVC_AUTH_\w*(?:SECRET|KEYS)/g) ?? [])]
      expect({ name, found }).toEqual({ name, found: [] })
    }
  })

  it('is in a source map: none is served', async () => {
    expect(bundles.filter(({ name }) => name.endsWith('.map'))).toEqual([])
    const script = bundles.find(({ name }) => name.endsWith('.js'))?.name
    expect((await ask(`/_next/static/${script}`)).status).toBe(200)
    expect((await ask(`/_next/static/${script}.map`)).status).toBe(404)
  })

  it('is where a script of a page could read it (A-326)', async () => {
    const { page, web, context, open, signIn } = await newVisitor()
    await signIn(user)
    await page.waitForURL(`${web}/`)
    await open('/account')
    const readable = await page.evaluate(() =>
      JSON.stringify([document.cookie, localStorage, sessionStorage]),
    )
    expect(readable).toMatch(/^\["svc_csrf=[0-9a-f]{64}",\{\},\{\}\]$/)
    const session = (await context.cookies()).find(({ name }) => name === 'svc_session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    expect(await page.content()).not.toContain(session?.value)
  })

  it('is in the log of the web process', async () => {
    const wrong = { ...user, password: 'a password that is wrong' }
    const cookie = await cookiesOf(user)
    await cookiesOf(wrong)
    await ask('/account', { cookie: `${cookie}x` })
    const [, session = ''] = /svc_session=([^;]+)/.exec(cookie) ?? []
    expect(session.length).toBeGreaterThan(100)
    for (const { lines } of app.served) {
      const text = lines.join('\n')
      expect(text).not.toContain(user.password)
      expect(text).not.toContain(wrong.password)
      expect(text).not.toContain(session)
      expect(secretsIn(text)).toEqual([])
    }
  })
})
