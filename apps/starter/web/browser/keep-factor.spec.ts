import { expect, it } from 'vitest'
import { enrol } from './enrolled-visitor.ts'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

const day = 86_400_000

it('a second step that support was asked to remove stays by a button of the mailed page, once', async () => {
  const operator = await app.api.signedInUser({ role: 'superadmin' })
  // The owner of an address that was proved lately might not be the one who reads there.
  const user = await app.clock.at(new Date(Date.now() - 4 * day), () => app.api.createUser())
  await enrol(user)
  await app.api.proveRecent(operator)
  const params = { userId: user.userId }
  const ask = () => app.api.call('removeUserFactor', {}, operator.key, { params })
  const link = await linkSentBy(ask, user.email, 'factor-removal-asked')
  const waiting = async () =>
    (await app.api.call('readUser', undefined, operator.key, { params })).body.waiting

  const owner = await newVisitor()
  const answer = await owner.open(link)
  expect(answer?.headers()).toMatchObject({ 'referrer-policy': 'no-referrer' })
  await owner.page.waitForURL(`${app.web}/account/keep-factor`)
  await owner.see('Was this not you?')
  expect(await waiting()).toMatchObject([{ kind: 'factor_removal' }])
  await owner.click('Keep it')
  await owner.see('Your second step stays')
  expect(await waiting()).toEqual([])
  await owner.open(link)
  await owner.click('Keep it')
  await owner.see('This link does not work')
})
