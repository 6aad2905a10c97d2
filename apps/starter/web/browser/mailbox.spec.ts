import { expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

it('the mailbox shows a new message without a reload, and the focus stays where it is', async () => {
  const { page } = await newVisitor()
  const mailTo = async () => {
    const { email: target } = await app.api.createUser()
    const body = { target, targetType: 'email', purpose: 'login' }
    await app.api.sentBy(
      () => app.api.call('sendVerificationCode', body),
      target,
      'verification-code',
    )
    return target
  }
  const linkTo = (email: string) => page.getByRole('link', { name: email })

  const first = await mailTo()
  await page.goto(`${app.api.url}/_ops/mailbox`)
  await linkTo(first).focus()
  const opened = await page.evaluate(() => performance.timeOrigin)
  const second = await mailTo()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await linkTo(second).waitFor()
  await page
    .getByRole('status')
    .getByText(/new messages?\./)
    .waitFor()
  expect(await linkTo(first).evaluate((link) => link === document.activeElement)).toBe(true)
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(opened)
})
