import { randomUUID } from 'node:crypto'
import { stepsOf as contactsOf } from '../../contact/testing/contact.ts'
import { deletionOf } from '../../deletion/testing/deletion.ts'
import { stepsOf as linksOf } from '../../links/testing/links.ts'
import { mailRevokeAllLink } from '../../revoke-all/revoke-all.ts'
import { done } from '../../test-answers.ts'
import type { Application } from './application.ts'

const newPassword = () => `chosen-${randomUUID()}`

/** A forgotten password, and one that is changed. */
async function anotherPassword(app: Application) {
  const { email, password, key } = await app.signedInUser()
  const changed = newPassword()
  const change = { currentPassword: password, newPassword: changed }
  await app.call('changePassword', { ...change, newPassword: 'short' }, key)
  await done(app.call('changePassword', change, key))
  const reset = linksOf(app, 'reset')
  const { setupSecret } = await done(reset.open(await reset.token(email)))
  await done(reset.finish(setupSecret, { password: newPassword() }))
  await reset.finish(setupSecret, { password: newPassword() })
}

async function everywhere(app: Application) {
  const user = await app.signedInUser()
  const ask = () => mailRevokeAllLink(user.userId)
  const token = await app.linkSentBy(ask, user.email, 'revoke-all')
  await done(app.call('confirmRevokeAllLink', { token }))
  await done(app.call('consumeRevokeAllLink', { token }))
  await app.call('consumeRevokeAllLink', { token })
  const key = await app.signIn(user)
  await done(app.call('revokeAllKeys', { includeCurrent: true }, key))
}

async function anotherAddress(app: Application) {
  const user = await app.signedInUser()
  const contacts = contactsOf(app)
  await done(contacts.changePhone(user, contacts.newPhone()))
  const token = await contacts.changed(user, contacts.newEmail())
  await done(contacts.confirm(token))
  await done(contacts.undo(token))
  await contacts.undo(token)
}

async function away(app: Application) {
  const { request, cancel } = deletionOf(app)
  const user = await app.signedInUser()
  const { email, password } = user
  await done(request(user, { reason: 'none' }))
  await cancel({ email, password: newPassword() })
  await done(cancel({ email, password }))
  const key = await app.signIn(user)
  const verificationToken = await app.verificationToken(email, 'account_deletion')
  await done(request({ ...user, key }, { password: undefined, verificationToken }))
  const second = await app.verificationToken(email, 'account_deletion')
  await done(cancel({ email, verificationToken: second }))
}

export async function leave(app: Application) {
  await anotherPassword(app)
  await everywhere(app)
  await anotherAddress(app)
  await away(app)
  await done(app.call('checkUsername', undefined, undefined, { query: { username: 'somebody' } }))
}
