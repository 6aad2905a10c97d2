import { describe, expect, it } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { ask, cookiesOf } from './ask.ts'
import { accountPages, adminPages, guardedPages, staffPages } from './pages.ts'
import { app } from './running-web-app.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

const superadmin = await app.api.createUser({ role: 'superadmin' })
const admin = await app.api.createUser({ role: 'admin' })
const user = await app.api.createUser()

const signInFor = (path: string) => `/login?${new URLSearchParams({ returnTo: path })}`

describe('a guarded page', () => {
  it.each(guardedPages)('%s sends signed-out users to sign in (A-324)', async (path) => {
    const { status, location } = await ask(path)
    expect([303, 307]).toContain(status)
    expect(location).toBe(signInFor(path))
  })

  it('is where a user comes back to after signing in (A-324)', async () => {
    const { page, web, open, fill, click } = await newVisitor()
    await open('/live')
    expect(page.url()).toBe(`${web}${signInFor('/live')}`)
    await fill('Email', admin.email)
    await fill('Password', admin.password)
    await click('Sign in')
    await page.waitForURL(`${web}/live`)
    await page.getByRole('heading', { name: 'Live', exact: true }).waitFor()
  })

  it.each(adminPages)('%s is for superadmins alone (A-324)', async (path) => {
    const title = new RegExp(`>${path.split('/').at(-1)}</h1>`, 'i')
    const refused = await ask(path, { cookie: await cookiesOf(admin) })
    expect(refused.status).toBe(403)
    expect(refused.body).toContain('Your role may not see this page</h1>')
    expect(refused.body).not.toMatch(title)
    const shown = await ask(path, { cookie: await cookiesOf(superadmin) })
    expect(shown.status).toBe(200)
    expect(shown.body).toMatch(title)
  })

  it.each(orFew(staffPages))(
    '%s says in words, with status 403, that a role may not see it',
    async (path) => {
      const refused = await ask(path, { cookie: await cookiesOf(user) })
      expect(refused.status).toBe(403)
      // No script has run: the words are in the HTML.
      expect(refused.body).toContain('Your role may not see this page</h1>')
      const { page, open } = await signedInVisitor(user)
      await open(path)
      await page.getByRole('heading', { name: 'Your role may not see this page' }).waitFor()
    },
  )

  it.each(accountPages)('%s is shown to signed-in users (A-324)', async (path) => {
    const { status, body } = await ask(path, { cookie: await cookiesOf(admin) })
    expect(status).toBe(200)
    expect(body).toContain('</h1>')
  })

  it.each(['', 'x', 'e30', 'a.b.c.d.e', 'A'.repeat(3000), '%00', '"quoted"'])(
    'does not accept the cookie %o (A-324)',
    async (value) => {
      const cookie = `svc_session=${value}; svc_csrf=${value}`
      expect(await ask('/account', { cookie })).toMatchObject({ location: signInFor('/account') })
      expect((await ask('/', { cookie })).status).toBe(200)
    },
  )
})

// As a signed-in visitor they lead straight away; a stranger's form is given the same path.
const elsewhere = [
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  'https://evil.test',
  'https:evil.test',
  'javascript:alert(1)',
  '%2f%2fevil.test',
  '/%2fevil.test',
  '/%5cevil.test',
  '/\t/evil.test',
  '/%09/evil.test',
  '/.//evil.test',
  '/..//evil.test',
  '@evil.test',
]

describe('the return path after signing in', () => {
  it.each(elsewhere)('does not lead to %s (A-324)', async (returnTo) => {
    const cookie = await cookiesOf(admin)
    const { location } = await ask(`/login?${new URLSearchParams({ returnTo })}`, { cookie })
    expect(location).toBe('/')
  })

  it.each(orFew(['//evil.test', '/\\evil.test', 'javascript:alert(1)']))(
    'is not taken from the address by the form: %s (A-324)',
    async (returnTo) => {
      const { page, web, signIn } = await newVisitor()
      await signIn(admin, `/login?${new URLSearchParams({ returnTo })}`)
      await page.waitForURL(`${web}/`)
    },
  )
})
