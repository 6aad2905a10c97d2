import { randomInt, randomUUID } from 'node:crypto'
import type { Identifier } from '../../../accounts/accounts.ts'
import type { AuthContract } from '../../../auth-contract.ts'
import { issueVerificationToken } from '../../../codes/verification-token.ts'
import { waitingDevices } from '../../../device/testing/test-waiting.ts'
import { bindingOf } from '../../../key-binding/testing/binding.ts'
import { testAgents } from '../../../oauth2/testing/test-agent.ts'
import { passkeysOf } from '../../../passkeys/testing/test-passkeys.ts'
import type { Purpose } from '../../../purpose.ts'
import { createTestKey, type TestAuth, type TestKey, type TestUser } from '../../../testing.ts'
import { browserOf } from '../../test-provider.ts'
import { mailedTokens } from '../application.ts'

/** A request that is good, with all that has to be so before it. */
export interface Live {
  body?: object
  form?: object
  query?: object
  params?: Record<string, string>
  key?: TestKey
}

/** Routes that are no operation, and need something first. */
type Beside = 'stream' | 'getOpenidLogout' | 'postOpenidLogout' | 'describeOpenidLogout'

export type Lives = Partial<Record<keyof AuthContract | Beside, () => Promise<Live>>>

export type Stage = ReturnType<typeof stageOf>

/** What good requests are made with. */
export function stageOf(auth: TestAuth, root: TestUser) {
  const { call, auth: service } = auth

  const identifierOf = (value: string): Identifier => ({
    type: value.includes('@') ? 'email' : 'phone',
    value,
  })

  async function tokenFor(target: string, purpose: Purpose) {
    const use = { identifier: identifierOf(target), purpose, generation: 0 }
    const now = auth.clock.now()
    return (await issueVerificationToken(service, { ...use, now })).verificationToken
  }

  async function mailed(template: string, ask: () => Promise<unknown>) {
    await ask()
    await service.linkMail.close()
    return mailedTokens.get(template)?.at(-1) ?? ''
  }

  const ofUser = (body: (user: TestUser) => Promise<object> | object) => async () => {
    const user = await auth.signedInUser()
    return { key: user.key, body: await body(user) }
  }

  const passkeys = passkeysOf(auth)
  async function withPasskey() {
    const user = await auth.signedInUser()
    return { user, ...(await passkeys.enrol(user)) }
  }

  return {
    auth,
    call,
    root,
    identifierOf,
    tokenFor,
    mailed,
    ofUser,
    passkeys,
    withPasskey,
    agents: testAgents(auth),
    devices: waitingDevices(auth),
    sessions: bindingOf(auth),
    browser: browserOf(auth),
    newEmail: () => `${randomUUID()}@example.com`,
    newPhone: () => `+1202${randomInt(1_000_000, 9_999_999)}`,
    keyFields: async () => (await createTestKey()).registration,
  }
}
