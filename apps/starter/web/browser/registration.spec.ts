import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { codeSentTo } from './mail.ts'
import { newVisitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

it('an account is opened with a mailed code and a password, and signs in with it', async () => {
  const email = `${randomUUID()}@example.com`
  const password = 'seven sleepy sailors'
  const { page, web, context, open, fill, click, see, signIn } = await newVisitor()
  await open('/')
  await page.getByRole('link', { name: 'Create an account' }).first().click()
  // If the link loads the page from the server, text that is typed before its script runs is lost.
  await page.waitForURL(`${web}/register`)
  await whenLoaded(page)
  await fill('Email', email)
  await click('Send code')
  await fill('Code', await codeSentTo(email))
  await click('Continue')
  await fill('Password', password)
  await click('Create account')
  await page.waitForURL(`${web}/account`)
  await see(email)

  await context.clearCookies()
  await signIn({ email, password })
  await page.waitForURL(`${web}/`)
  expect((await context.cookies()).length).toBe(3)
})
