import { describe, expect, it } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { enrolledUser } from './enrolled-visitor.ts'
import { app } from './running-web-app.ts'
import { continueWith, nameOf, refuseConsent, signedInAs, somebodyThere } from './social-visitor.ts'
import { arrivedBy, hasTitle, isAt, linkedPage, unlink } from './test-social.ts'
import { newVisitor, signedInVisitor, type Visitor } from './visitor.ts'

const both = ['google', 'github'] as const
const cookieNames = async ({ context }: Visitor) =>
  (await context.cookies()).map(({ name }) => name).toSorted()

describe('the pages to sign in and up', () => {
  it.each(orFew(['/login', '/login?with=code', '/register', '/signup']))(
    '%s have a button for each provider that is configured',
    async (path) => {
      const { page, open } = await newVisitor()
      await open(path)
      const buttons = page.getByRole('button', { name: /^Continue with/ })
      expect(await buttons.allTextContents()).toEqual([
        'Continue with Google',
        'Continue with GitHub',
      ])
    },
  )
})

describe.each(orFew(both))('a sign-in with %s', (provider) => {
  it('opens an account for a new user, and is the way into it from then on (A-271)', async () => {
    const visitor = await arrivedBy(provider)
    await visitor.see(visitor.email)
    expect(await cookieNames(visitor)).toEqual(['svc_csrf', 'svc_known', 'svc_session'])
    const { userId, keyId } = await signedInAs(visitor)
    await visitor.signOut()
    await isAt(visitor, '/')

    await continueWith(visitor, provider, '/register')
    await isAt(visitor, '/account')
    const again = await signedInAs(visitor)
    expect(again).toMatchObject({ userId, email: visitor.email })
    expect(again.keyId).not.toBe(keyId)
  })

  it('waits for the second step where the account has one (A-282)', async () => {
    const { email, phone } = await enrolledUser()
    somebodyThere(email)
    const visitor = await newVisitor()
    await continueWith(visitor, provider)
    await isAt(visitor, '/auth/mfa?returnTo=%2Faccount')
    expect(await cookieNames(visitor)).toEqual(['svc_mfa_pending'])
    await visitor.fill('Code', phone.nextCode())
    await visitor.click('Sign in')
    await isAt(visitor, '/account')
    await visitor.see(email)
  })

  it('that the user cancels there ends on a page that says so', async () => {
    refuseConsent(provider)
    const visitor = await newVisitor()
    await continueWith(visitor, provider)
    await isAt(visitor, '/auth/error?error=provider_error')
    await hasTitle(visitor, 'Not signed in')
    await visitor.see('Allow it there when it asks')
    await visitor.page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
    await isAt(visitor, '/login')
  })

  it('in a browser that has lost its cookie is not finished', async () => {
    somebodyThere()
    const visitor = await newVisitor()
    await visitor.page.route('**/authorize?*', async (route) => {
      await visitor.context.clearCookies()
      await route.continue()
    })
    await continueWith(visitor, provider)
    await isAt(visitor, '/auth/error?error=cookie_missing')
    await visitor.see('Allow cookies for this site')
    expect(await cookieNames(visitor)).toEqual([])
  })

  it('is linked to an account in its settings, signs in to it, and no longer does once unlinked', async () => {
    const user = await app.api.createUser()
    const visitor = await signedInVisitor(user)
    const there = somebodyThere()
    await visitor.open(linkedPage)
    await visitor.page.getByRole('heading', { name: 'No linked accounts yet' }).waitFor()
    await visitor.click(`Link ${nameOf(provider)}`)
    await visitor.see(`${nameOf(provider)} is linked. You can sign in with it now.`)
    await isAt(visitor, linkedPage)
    expect(await cookieNames(visitor)).toEqual(['svc_csrf', 'svc_known', 'svc_session'])

    const other = await newVisitor()
    await continueWith(other, provider)
    await isAt(other, '/account')
    expect(await signedInAs(other)).toMatchObject({ userId: user.userId })

    await unlink(visitor, provider)
    await visitor.see(`${nameOf(provider)} is unlinked.`)
    await other.signOut()
    await isAt(other, '/')
    await continueWith(other, provider)
    await isAt(other, '/account')
    expect(await signedInAs(other)).toMatchObject({ email: there.email })
  })
})

describe('a plain link to a provider', () => {
  it.each(orFew(both))('signs in: %s', async (provider) => {
    const { email } = somebodyThere()
    const visitor = await newVisitor()
    await visitor.page.goto(`${app.web}/_auth/oauth/${provider}?returnUrl=/account`)
    await isAt(visitor, '/account')
    await visitor.see(email)
    expect(await cookieNames(visitor)).toEqual(['svc_csrf', 'svc_known', 'svc_session'])
  })

  it('replaces no session unless the user says so', async () => {
    const user = await app.api.createUser()
    const visitor = await signedInVisitor(user)
    const { email } = somebodyThere()
    await visitor.page.goto(`${app.web}/_auth/oauth/github?returnUrl=/account`)
    await hasTitle(visitor, 'You are already signed in')
    expect(await signedInAs(visitor)).toMatchObject({ userId: user.userId })
    await visitor.click('Sign out and continue')
    await isAt(visitor, '/account')
    expect(await signedInAs(visitor)).toMatchObject({ email })
  })
})
