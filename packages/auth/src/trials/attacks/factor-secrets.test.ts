import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as events from '../../events.ts'
import { enrol, waitingSignIn, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { startTestAuth, type TestAnswer } from '../../testing.ts'
import { dumpTables } from './dump-tables.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const passkeys = passkeysOf(auth)

const told: unknown[] = []
for (const event of Object.values(events)) event.subscribe((payload) => void told.push(payload))

/** Everything that was given out, or typed, and that opens something. */
const secrets: string[] = []
/** All but those that hand one out. */
const answers: TestAnswer[] = []
let email = ''

const call: typeof auth.call = async (...given) => {
  const answer = await auth.call(...given)
  answers.push(answer)
  return answer
}

beforeAll(async () => {
  const user = await auth.signedInUser()
  email = user.email
  const { device } = await passkeys.enrol(user)
  const owner = await enrol(auth, user)
  const { recoveryCodes, secret, key } = owner
  secrets.push(secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', '')))

  const first = await waitingSignIn(auth, owner)
  const second = await waitingSignIn(auth, owner)
  secrets.push(first.challenge, second.challenge)
  const [spent, inCapitals, unspent] = recoveryCodes
  // What is sent in the wrong place, and what cannot be read at all.
  await call('mfaVerify', { challenge: first.challenge, code: unspent })
  await call('mfaVerify', { challenge: { text: first.challenge }, recoveryCode: unspent })
  await call('mfaVerify', { challenge: first.challenge, recoveryCode: [unspent] })
  await call('mfaVerify', { challenge: secret, recoveryCode: unspent })
  await call('mfaVerify', { challenge: first.challenge, code: secret, [secret]: 1 })
  await call('mfaVerify', { challenge: first.challenge, recoveryCode: unspent, code: secret })
  await call('mfaVerify', { challenge: first.challenge, recoveryCode: spent })
  await call('mfaStepUp', { recoveryCode: inCapitals?.toUpperCase() }, key)
  await call('mfaStepUp', { recoveryCode: spent }, key)
  await call('mfaStepUp', { code: user.password.slice(0, 16) }, key)
  await auth.fetch(`/_auth/mfa/verify?challenge=${second.challenge}`, { method: 'POST' })

  const options = await passkeys.loginOptions()
  const response = device.sign(options)
  secrets.push(options.challenge, response.response.signature)
  await passkeys.present({ ...response, id: options.challenge })
  answers.push(await passkeys.present(response), await passkeys.present(response))
  await call('mfaStatus', undefined, key)
  await call('exportUserData', undefined, key)
  await call('listPasskeys', {}, key)
})

const found = (text: string) => secrets.filter((each) => text.includes(each))

describe('what proves a second factor', () => {
  it('was really used here', () => {
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204, 400, 401]))
    expect(secrets.length).toBeGreaterThan(20)
    expect(told.length).toBeGreaterThan(2)
  })

  it('is in no line of the log', () => {
    expect(found(JSON.stringify(auth.logged))).toEqual([])
  })

  it('is in no row of any table, those of the trail and of jobs too', async () => {
    const rows = await dumpTables(auth.auth.db)
    expect(rows).toContain('mfa.recovery_code_used')
    expect(found(rows)).toEqual([])
  })

  it('is in no event, and in no message', async () => {
    const messages = await auth.messagesTo(email)
    expect(messages.length).toBeGreaterThan(0)
    expect(found(JSON.stringify([told, messages]))).toEqual([])
  })

  it('is in no answer but the one that gives it', () => {
    const bodies = answers.map(({ body, headers }) => JSON.stringify([body, [...headers]]))
    expect(found(bodies.join('\n'))).toEqual([])
  })
})
