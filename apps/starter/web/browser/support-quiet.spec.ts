import { expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { listed, notice, supportOn } from './support-session.ts'
import { signedInVisitor } from './visitor.ts'

it('a page without streams shows a support session when its owner comes back to it, and that it has ended', async () => {
  const user = await app.api.createUser()
  const visitor = await signedInVisitor(user)
  await visitor.open('/account/devices')
  const session = await supportOn(user)
  await visitor.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await notice(visitor).waitFor()

  await listed(visitor).getByRole('button', { name: 'End Hedy Lamarr' }).click()
  await visitor.click('Yes, end it')
  await notice(visitor).waitFor({ state: 'detached' })
  expect(await session.status()).toBe(401)

  await supportOn(user)
  await visitor.open('/account/devices')
  await visitor.page.getByRole('button', { name: 'End session Hedy Lamarr' }).click()
  await visitor.click('Yes, end it')
  await listed(visitor).waitFor({ state: 'detached' })
})
