import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceDecidedEvent } from '../../device/device-held.ts'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import * as events from '../../events.ts'
import { stepsOf as invitationsOf } from '../../invitations/testing/invitations.ts'
import { stepsOf } from '../../links/testing/links.ts'
import { mailRevokeAllLink } from '../../revoke-all/revoke-all.ts'
import { routeMap } from '../../route-map.generated.ts'
import { startTestAuth, type TestAnswer, testPassword } from '../../testing.ts'
import { dumpTables } from './dump-tables.ts'

// With a notice of each new device, as an application has it.
const auth = await startTestAuth({ options: { templates: {} } })
afterAll(() => auth.stop())

const told: unknown[] = []
for (const event of [...Object.values(events), deviceDecidedEvent]) {
  event.subscribe((payload) => void told.push(payload))
}

/** Everything that was mailed or handed out, and opens something or did. */
const secrets: Record<string, string> = {}
const answers: TestAnswer[] = []
const keep = (name: string, secret: string) => {
  secrets[name] = secret
  return secret
}
const ask: typeof auth.call = async (...given) => {
  const answer = await auth.call(...given)
  answers.push(answer)
  return answer
}

/** Twice, so that it is refused too; in the query, where every proxy would log it; cut off, and in an object. */
async function present(name: keyof typeof routeMap, member: string, rest: object = {}) {
  const secret = secrets[member] ?? ''
  const field = member.split(' ').at(-1) as string
  const body = { ...rest, [field]: secret }
  await ask(name, { ...body, [field]: { secret } })
  await ask(name, { ...body, [field]: secret.repeat(10) })
  await ask(name, { [secret]: 1 })
  const { path, method } = routeMap[name]
  const headers = { 'content-type': 'application/json' }
  await auth.fetch(`${path}?token=${secret}`, {
    method,
    headers,
    body: JSON.stringify(body).slice(0, -1),
  })
  await auth.fetch(`${path}/${secret}`, { method, headers, body: '{}' })
}

beforeAll(async () => {
  const user = await auth.signedInUser()
  const admin = await auth.signedInUser({ role: 'admin' })
  const newcomer = `${randomUUID()}@example.com`
  const password = keep('password', `chosen-${randomUUID()}`)

  const signup = stepsOf(auth, 'signup')
  keep('signup token', await signup.token(newcomer))
  await present('confirmSignupLink', 'signup token')
  keep('signup setupSecret', (await signup.open(secrets['signup token'] ?? '')).body.setupSecret)
  await present('completeSignup', 'signup setupSecret', { password })
  answers.push(await signup.finish(secrets['signup setupSecret'] ?? '', { password: 'short' }))
  answers.push(await signup.finish(secrets['signup setupSecret'] ?? '', { password }))
  answers.push(await signup.finish(secrets['signup setupSecret'] ?? '', { password }))

  const reset = stepsOf(auth, 'reset')
  keep('reset token', await reset.token(newcomer))
  await present('confirmPasswordReset', 'reset token')
  keep('reset setupSecret', (await reset.open(secrets['reset token'] ?? '')).body.setupSecret)
  await present('completePasswordReset', 'reset setupSecret', { password })
  answers.push(await reset.finish(secrets['reset setupSecret'] ?? '', { password }))

  const { invite, accept } = invitationsOf(auth)
  keep('invitation token', (await invite(admin.key)).token)
  await present('getInvitation', 'invitation token')
  await present('acceptInvitation', 'invitation token', { password })
  answers.push(await accept(secrets['invitation token'] ?? '', { password }))

  const { start, approve, poll } = waitingDevices(auth)
  const device = await start({ deviceName: 'Television' })
  keep('deviceCode', device.deviceCode)
  await present('pollDeviceAuth', 'deviceCode')
  answers.push(await poll(device), await approve(device, user))
  answers.push(await poll(device), await poll(device))

  const email = `${randomUUID()}@example.com`
  const verificationToken = keep('proof', await auth.verificationToken(email, 'email_change'))
  const change = { email, verificationToken, currentPassword: testPassword }
  const changed = () => ask('changeEmail', change, user.key)
  keep('undo token', await auth.linkSentBy(changed, user.email, 'contact-changed'))
  await present('confirmContactUndoLink', 'undo token')
  const out = () => mailRevokeAllLink(admin.userId)
  keep('out token', await auth.linkSentBy(out, admin.email, 'revoke-all'))
  await present('confirmRevokeAllLink', 'out token')
  await ask('consumeContactUndoLink', { token: secrets['undo token'] })
  await ask('consumeRevokeAllLink', { token: secrets['out token'] })
})

const found = (text: string) =>
  Object.keys(secrets).filter((name) => text.includes(secrets[name] ?? ''))

describe('what a mailed link or a waiting device opens something with', () => {
  it('was really used here', () => {
    expect(Object.values(secrets).filter((each) => each.length >= 20)).toHaveLength(10)
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 400, 401, 404]))
    expect(statuses.filter((each) => each === 200)).toHaveLength(9)
  })

  it('is in no line of the log', () => {
    expect(found(JSON.stringify(auth.logged))).toEqual([])
  })

  it('is in no answer but the one that gives it', () => {
    const bodies = answers.map(({ body, headers }) => JSON.stringify([body, [...headers]]))
    expect(found(bodies.join('\n'))).toEqual([])
  })

  it('is in no row of any table, those of the queue too', async () => {
    const rows = await dumpTables(auth.auth.db)
    expect(rows).toContain('auth.link-mail')
    expect(rows).toContain('auth.notice')
    expect(found(rows)).toEqual([])
  })

  it('is in no event, and no job has an address in it', async () => {
    expect(told.length).toBeGreaterThan(10)
    expect(found(JSON.stringify(told))).toEqual([])
    const jobs = (await dumpTables(auth.auth.db))
      .split('\n')
      .filter((row) => /auth\.(link-mail|notice)/.test(row))
    expect(jobs.filter((row) => row.includes('@example.com'))).toEqual([])
  })
})
