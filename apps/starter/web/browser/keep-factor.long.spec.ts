import { expect, it } from 'vitest'
import { enrolledVisitor } from './enrolled-visitor.ts'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

const day = 86_400_000

it('a signed-in owner reads of it on the account pages, and keeps it without the mail', async () => {
  const operator = await app.api.signedInUser({ role: 'superadmin' })
  const user = await app.clock.at(new Date(Date.now() - 4 * day), () => app.api.createUser())
  const owner = await enrolledVisitor(user)
  await app.api.proveRecent(operator)
  const params = { userId: user.userId }
  const ask = () => app.api.call('removeUserFactor', {}, operator.key, { params })
  await linkSentBy(ask, user.email, 'factor-removal-asked')
  await owner.open('/account/devices')
  await owner.see('Support was asked to remove a second step')
  await owner.click('Keep it')
  await owner.fill('Code', owner.user.phone.nextCode())
  await owner.click('Continue')
  await owner.see('Your second step stays')
  const { body } = await app.api.call('readUser', undefined, operator.key, { params })
  expect(body.waiting).toEqual([])
  await owner.open('/account/devices')
  expect(await owner.page.getByText('Support was asked to remove').count()).toBe(0)
})

it('says that a link without a token does not work', async () => {
  const { open, see } = await newVisitor()
  await open('/account/keep-factor')
  await see('This link does not work')
})
