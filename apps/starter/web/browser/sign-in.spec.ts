import { describe, expect, it } from 'vitest'
import { codeSentTo } from './mail.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

describe('signing in', () => {
  it('takes the right password and no other, and ends with signing out', async () => {
    const user = await app.api.createUser()
    const { page, web, context, signIn, signOut, see, open } = await newVisitor()
    await signIn({ ...user, password: 'not the password' })
    await see('The email or the password is wrong.')
    expect(await context.cookies()).toEqual([])

    await signIn(user)
    await page.waitForURL(`${web}/`)
    await open('/account')
    await see(user.email)
    await signOut()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    // The cookie of known browsers stays (decisions 16).
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['svc_known'])
    await open('/account')
    expect(page.url()).toContain('/login?')
  })

  it.each(['web', 'secureWeb'] as const)(
    'leaves a session that scripts do not read: %s (A-326, A-334)',
    async (which) => {
      const isSecure = which === 'secureWeb'
      const { page, web, context, signIn } = await newVisitor(app[which])
      await signIn(await app.api.createUser())
      await page.waitForURL(`${web}/`)
      const cookies = (await context.cookies()).map(
        ({ value: _, expires: _end, ...cookie }) => cookie,
      )
      const common = { domain: 'localhost', path: '/', secure: isSecure, sameSite: 'Lax' }
      const host = isSecure ? '__Host-' : ''
      const named = new Map(cookies.map((cookie) => [cookie.name, cookie]))
      expect(named).toEqual(
        new Map(
          [
            { ...common, name: 'svc_csrf', httpOnly: false },
            { ...common, name: `${host}svc_known`, httpOnly: true },
            { ...common, name: `${host}svc_session`, httpOnly: true },
          ].map((cookie) => [cookie.name, cookie]),
        ),
      )
    },
  )

  it('takes a code that was mailed', async () => {
    const { email } = await app.api.createUser()
    const { page, web, open, fill, click, isSignedIn } = await newVisitor()
    await open('/login')
    await page.getByRole('link', { name: /code/i }).click()
    // Until then the form is the other way's.
    await page.getByRole('button', { name: 'Send code' }).waitFor()
    await fill('Email', email)
    await click('Send code')
    await fill('Code', await codeSentTo(email))
    await click('Sign in')
    await page.waitForURL(`${web}/`)
    await isSignedIn()
  })
})
