import { sessionOf } from '../../support/testing/support.ts'
import { done } from '../../test-answers.ts'
import type { Application } from './application.ts'

/** An operator acts as an owner who has given a code, is refused what is the owner's alone, and ends it. */
export async function giveSupport(app: Application) {
  const operator = await app.signedInUser({ role: 'superadmin' })
  const { userId, key: owner } = await app.signedInUser()
  const { code } = await done(app.call('createSupportCode', {}, owner))
  const key = await sessionOf(app, operator, { userId, code })
  await done(app.call('getAuthSession', undefined, key))
  await app.call('createSupportCode', {}, key)
  await done(app.call('exportUserData', undefined, owner))
  await done(app.call('endSupportSession', { keyId: key.keyId }, key))
  await app.call('getAuthSession', undefined, key)
}
