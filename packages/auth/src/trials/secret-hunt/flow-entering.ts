import { randomUUID } from 'node:crypto'
import { issueLegacyToken } from '../../authenticate/authenticate.ts'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import { stepsOf as invitationsOf } from '../../invitations/testing/invitations.ts'
import { stepsOf as linksOf } from '../../links/testing/links.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { proofOf } from '../../proof/testing/test-proof.ts'
import { openStream, streamToken } from '../../streams/test-stream.ts'
import { done } from '../../test-answers.ts'
import { createTestKey } from '../../testing.ts'
import type { Application } from './application.ts'

const newPassword = () => `chosen-${randomUUID()}`

/** Opening an account by a code, and signing in with a password and with a code. */
async function byCode(app: Application) {
  const email = `${randomUUID()}@example.com`
  const password = newPassword()
  const verificationToken = await app.verificationToken(email, 'registration')
  const first = await createTestKey()
  const account = { email, password, verificationToken, ...first.registration }
  await done(app.call('register', account))
  await app.call('register', account)
  await app.call('login', { email, password: newPassword(), ...first.registration })
  const key = await app.signIn({ email, password })
  const proof = await app.verificationToken(email)
  const other = await createTestKey()
  await done(app.call('login', { email, verificationToken: proof, ...other.registration }))
  return { email, password, key }
}

async function byMailedLink(app: Application) {
  const signup = linksOf(app, 'signup')
  const token = await signup.token(`${randomUUID()}@example.com`)
  const { setupSecret } = await done(signup.open(token))
  await signup.open(token)
  await signup.finish(setupSecret, { password: 'short' })
  await done(signup.finish(setupSecret, { password: newPassword() }))
  await signup.finish(setupSecret, { password: newPassword() })
}

async function byInvitation(app: Application) {
  const { key } = await app.signedInUser({ role: 'admin' })
  const { invite, lookUp, accept } = invitationsOf(app)
  const { token } = await invite(key)
  await done(lookUp(token))
  await done(accept(token, { password: newPassword() }))
  await accept(token, { password: newPassword() })
}

async function byAnotherDevice(app: Application) {
  const { start, info, approve, deny, poll } = waitingDevices(app)
  const user = await app.signedInUser()
  const device = await start({ deviceName: 'Television' })
  await done(poll(device))
  await done(info(device, user))
  await done(approve(device, user))
  await done(poll(device))
  await poll(device)
  const denied = await start()
  await info(denied, user)
  await deny(denied, user)
  await poll(denied)
}

/** Whatever signs requests, or stands for a signature. */
async function bySignature(app: Application) {
  const user = await app.signedInUser({ role: 'admin' })
  const { userId } = user
  const next = await createTestKey()
  await done(app.call('rotateKey', next.registration, user.key))
  const machine = await machineOf(app, { key: next }, { permissions: ['user:read'] })
  await done(app.call('getAuthSession', undefined, machine))
  const { token } = await done(app.call('issueOneTimeToken', undefined, next))
  for (const path of [`/handshake?token=${token}`, `/handshake?token=${token}`]) {
    await app.fetch(path)
  }
  await app.fetch('/handshake', { headers: { authorization: `OTT ${token}` } })
  const forStream = await streamToken(app.url, app.signerOf(next))
  const stream = await openStream(app.url, forStream, 'login')
  const again = await openStream(app.other.url, forStream, 'login')
  if (stream.status !== 200 || again.status !== 401)
    throw new Error('The stream did not open once.')
  stream.close()
  await app.fetch(`/events/stream?events=login&token=${forStream}`)
  const headers = await proofOf({ key: next, clientId: userId, now: app.clock.now() })
  for (const _ of [1, 2]) {
    await app.fetch('/_auth/keys/list', { method: 'POST', body: '{}', headers })
  }
  const legacy = { authorization: `Bearer ${await issueLegacyToken(userId)}` }
  await done(app.call('getAuthSession', undefined, undefined, { headers: legacy }))
  await done(app.call('logout', undefined, next))
}

export async function enter(app: Application) {
  await byCode(app)
  await byMailedLink(app)
  await byInvitation(app)
  await byAnotherDevice(app)
  await bySignature(app)
}
