import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDeviceKey } from '../device-key-file/device-key-file.ts'
import { type EnrolledUser, enrolledUser, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { done } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import { terminal } from './terminal.ts'

const auth = await startTestAuth({ env: withKeyring() })
const folder = await mkdtemp(join(tmpdir(), 'svc-terminal-'))
const place = { baseUrl: auth.url, file: join(folder, 'key.json') }
let user: EnrolledUser

beforeAll(async () => {
  user = await enrolledUser(auth)
  const { registration } = await createDeviceKey({ file: place.file })
  const { email, password } = user
  const { challenge } = await done(auth.call('login', { email, password, ...registration }))
  await done(auth.call('mfaVerify', { challenge: challenge.secret, code: user.code() }))
})
afterAll(async () => {
  await auth.stop()
  await rm(folder, { recursive: true })
})

const used = async () =>
  10 - (await done(auth.call('mfaStatus', undefined, user.key))).recoveryCodesRemaining
const stepUp = (answer: string) => terminal.proofs.StepUpRequiredError?.give(place, answer)

it('takes the code of an authenticator app for the second factor', async () => {
  await stepUp(user.code())
  await expect(stepUp(user.wrongCode())).rejects.toMatchObject({
    name: 'MfaVerificationFailedError',
  })
  expect(await used()).toBe(0)
})

it('takes a recovery code, for an owner who has lost the app', async () => {
  await stepUp(user.recoveryCodes[0] ?? '')
  expect(await used()).toBe(1)
})
