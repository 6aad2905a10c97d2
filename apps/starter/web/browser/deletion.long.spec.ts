import { expect, it } from 'vitest'
import { codeSentTo } from './mail.ts'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'

it('a code by email deletes an account, and the password restores it where that is told (A-160, A-161)', async () => {
  const user = await app.api.createUser()
  const { page, open, fill, click, see } = await signedInVisitor(user)
  await open('/account/close')
  await click('Use a code by email instead')
  await click('Email me a code')
  await fill('Code', await codeSentTo(user.email))
  await click('Continue')
  await click('Delete my account')
  await click('Yes, delete my account')
  await page.waitForURL(/\/restore\?until=/)
  await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe(user.email)
  await fill('Password', 'not the password')
  await click('Restore my account')
  await see('The email or the password is wrong')
  await fill('Password', user.password)
  await click('Restore my account')
  await see('Your account is restored')
  await page.getByRole('heading', { name: 'Restore your account', level: 1 }).waitFor()
  expect(await page.getByText('Account not deleted?').count()).toBe(0)
})
