import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'

it('an account that is deleted cannot sign in until it is restored (A-136, A-160, A-161)', async () => {
  const user = await app.api.createUser()
  const elsewhere = await signedInVisitor(user)
  const { page, web, context, open, fill, click, see, signIn } = await signedInVisitor(user)
  await open('/account/security')
  await page.getByRole('link', { name: 'Delete this account' }).click()
  await fill('Your password', 'not the password')
  await click('Delete my account')
  await click('Yes, delete my account')
  await see('The password is wrong.')
  await fill('Your password', user.password)
  await click('Delete my account')
  await click('Yes, delete my account')
  await page.waitForURL(/\/restore\?until=/)
  await page.getByRole('heading', { name: 'Your account is closed' }).waitFor()
  await see(day(app.api.clock.now().getTime() + 30 * 86_400_000))
  // The cookie of known browsers stays (decisions 16).
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['svc_known'])
  await elsewhere.open('/account')
  expect(elsewhere.page.url()).toContain('/login?')

  await signIn(user)
  await see('This account is going to be deleted.')
  await page.getByRole('link', { name: 'Restore the account' }).click()
  await page.waitForURL(`${web}/restore`)
  await page.getByRole('link', { name: 'With a code by email' }).click()
  // Until then the form is the other way's.
  await page.getByRole('button', { name: 'Send code' }).waitFor()
  await fill('Email', user.email)
  const ask = () => click('Send code')
  const { text } = await app.api.sentBy(ask, user.email, 'verification-code')
  await fill('Code', /\b\d{6}\b/.exec(text)?.[0] ?? '')
  await click('Restore my account')
  await see('Your account is restored')
  // The cookie of known browsers stays (decisions 16).
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['svc_known'])
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).first().click()
  await fill('Email', user.email)
  await fill('Password', user.password)
  await click('Sign in')
  await page.waitForURL(`${web}/`)
})

it('a signed-in user downloads their data as a file', async () => {
  const user = await app.api.createUser()
  const { page, open, click } = await signedInVisitor(user)
  await open('/account/security')
  const downloading = page.waitForEvent('download')
  await click('Download my data')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('account-data.json')
  const saved = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(saved).toMatchObject({ account: { userId: user.userId, email: user.email } })
  expect(saved).toHaveProperty('profile')
})

const day = (millis: number) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(millis)
