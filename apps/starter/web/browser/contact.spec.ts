import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { codeSentTo, linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

it('an email is changed with a code that is read there and the password, and every session stays', async () => {
  const user = await app.api.createUser()
  const email = `${randomUUID()}@example.com`
  const { page, open, fill, click, see, signIn, context } = await signedInVisitor(user)
  await open('/account')
  await page.getByRole('link', { name: 'Change it' }).click()
  await fill('New email', user.email)
  await click('Send code')
  await see('This is already your email. Enter another one.')
  await fill('New email', email)
  await click('Send code')
  await fill('Code', await codeSentTo(email))
  await click('Continue')
  await fill('Current password', 'not the password')
  await click('Change email')
  await see('The current password is wrong.')
  await fill('Current password', user.password)
  await click('Change email')
  await see('Your email is changed')
  await open('/account')
  await see(email)

  await context.clearCookies()
  await signIn(user)
  await see('The email or the password is wrong.')
  await signIn({ ...user, email })
  await page.waitForURL(`${app.web}/`)
})

it('a change is undone from the old mailbox: once, by a button, and every device is signed out', async () => {
  const user = await app.api.createUser()
  const thief = await signedInVisitor(user)
  const link = await linkSentBy(() => changeEmail(user, thief), user.email, 'contact-changed')

  const owner = await newVisitor()
  const sent: string[] = []
  owner.page.on('request', (request) => sent.push(request.url()))
  const answer = await owner.open(link)
  expect(answer?.headers()).toMatchObject({ 'referrer-policy': 'no-referrer' })
  await owner.page.waitForURL(`${app.web}/account/undo`)
  await owner.see('Was this not you?')
  await owner.see(user.email)
  const token = new URL(link, app.web).searchParams.get('token') ?? ''
  expect(sent.slice(1).filter((url) => url.includes(token))).toEqual([])
  await thief.open('/account')
  expect(thief.page.url()).toBe(`${app.web}/account`)

  await owner.click('Restore the email')
  await owner.see('Your email is restored')
  await owner.see('One device is signed out.')
  await thief.open('/account')
  expect(thief.page.url()).toContain('/login?')
  await owner.page.getByRole('link', { name: 'Get a link by email' }).click()
  await owner.page.waitForURL(`${app.web}/password/forgot`)
  await owner.open(link)
  await owner.see('This link does not work')
})

async function changeEmail(
  { password }: { password: string },
  { open, fill, click, see }: Awaited<ReturnType<typeof newVisitor>>,
) {
  const email = `${randomUUID()}@example.com`
  await open('/account/email')
  await fill('New email', email)
  await click('Send code')
  await fill('Code', await codeSentTo(email))
  await click('Continue')
  await fill('Current password', password)
  await click('Change email')
  await see('Your email is changed')
}
