import { randomUUID } from 'node:crypto'
import type { TestServer } from '@svc/core/testing'
import { type EnrolledUser, enrolledUser } from '../../mfa/testing/test-second-factor.ts'
import { deviceGrantType } from '../../oauth2/device-grant/testing/test-terminal.ts'
import { type Agent, pkce, testAgents } from '../../oauth2/testing/test-agent.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import type { TestProvider } from '../../social/browser/testing/test-provider.ts'
import type { TestUser } from '../../testing.ts'
import type { Application } from './application.ts'

/** Whose secrets are tried, and what else an attacker knows who has read everything. */
export interface Victim {
  readonly user: TestUser
  readonly enrolled: EnrolledUser
  readonly newcomer: string
  readonly agent: Agent
  readonly confidential: Agent
  readonly verifier: string
  readonly provider: TestProvider
}

export async function newVictim(app: Application, provider: TestProvider): Promise<Victim> {
  const agents = testAgents(app)
  const enrolled = await enrolledUser(app)
  const passkeys = passkeysOf(app)
  const { passkeyId } = await passkeys.enrol(enrolled)
  await passkeys.mark(passkeyId)
  return {
    user: await app.signedInUser({ role: 'admin' }),
    enrolled,
    newcomer: `${randomUUID()}@example.com`,
    agent: await agents.register({ grant_types: ['authorization_code', deviceGrantType] }),
    confidential: await agents.register({ token_endpoint_auth_method: 'client_secret_post' }),
    verifier: pkce().verifier,
    provider,
  }
}

/** The server that is attacked. */
export interface Attacked {
  readonly at: TestServer
  readonly call: Application['call']
  readonly app: Application
}
