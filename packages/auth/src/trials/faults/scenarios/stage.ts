import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { directRequest, type PreparedRequest, type SigningKey } from '@svc/core/client'
import { sql } from 'drizzle-orm'
import type { AuthContract } from '../../../auth-contract.ts'
import { stepsOf as contactOf } from '../../../contact/testing/contact.ts'
import { waitingDevices } from '../../../device/testing/test-waiting.ts'
import { stepsOf as invitationsOf } from '../../../invitations/testing/invitations.ts'
import { bindingOf } from '../../../key-binding/testing/binding.ts'
import { stepsOf as linkOf } from '../../../links/testing/links.ts'
import { testAgents } from '../../../oauth2/testing/test-agent.ts'
import { passkeysOf } from '../../../passkeys/testing/test-passkeys.ts'
import type { OAuthProvider } from '../../../providers/providers.ts'
import { routeMap } from '../../../route-map.generated.ts'
import { linksOf } from '../../../social/accounts/testing/test-links.ts'
import { type TestBrowser, testBrowser } from '../../../social/browser/testing/test-browser.ts'
import type { TestProvider } from '../../../social/browser/testing/test-provider.ts'
import { createTestKey, startTestAuth, type TestAuth, type TestUser } from '../../../testing.ts'
import { provider, stageDefinition } from './application.ts'

/** A client's request, made anew for whoever is asked. */
export type Ask = (at: { url: string }) => Promise<PreparedRequest>

/** What an operation needs to be there, and the request; where that cannot be said twice, how it is said again. */
export type Prepare = (stage: Stage) => Promise<Ask | { first: Ask; again: Ask }>

export interface Scenario {
  prepare: Prepare
  /** What is answered to who sends it again although it was done. */
  again: string
  /** What is presented is over with that, whatever comes of it: this has moved then, and the repeat is refused. */
  spendsFirst?: { moved: string[]; said: string }
  /** Members of the answer that are given once: who sends it again gets the same, and nothing more has moved. */
  givenOnce?: string[]
}

export const scenario = (
  prepare: Prepare,
  again: string,
  more: Omit<Scenario, 'prepare' | 'again'> = {},
): Scenario => ({ prepare, again, ...more })

/** A challenge of a ceremony is taken away by whoever answers it, before anybody knows what comes of that. */
export const spends = (kind: string, said: string) => ({
  spendsFirst: { moved: [`-1 passkey_challenges ${kind}`], said },
})

/** Whoever agrees there comes back with their address for a code. */
const consent: TestProvider['consent'] = (authUrl, { email = '' }) => ({
  state: new URL(authUrl).searchParams.get('state') ?? '',
  code: email,
})

/** An API with everything that a scenario prepares with. */
export interface Stage extends TestAuth {
  readonly admin: TestUser
  readonly provider: OAuthProvider
  readonly newAddress: () => string
  readonly ask: ReturnType<typeof asking>
  readonly askWithNewKey: (name: keyof AuthContract, body: object) => Promise<Ask>
  readonly signup: ReturnType<typeof linkOf>
  readonly reset: ReturnType<typeof linkOf>
  readonly contact: ReturnType<typeof contactOf>
  readonly invitations: ReturnType<typeof invitationsOf>
  readonly devices: ReturnType<typeof waitingDevices>
  readonly passkeys: ReturnType<typeof passkeysOf>
  readonly binding: ReturnType<typeof bindingOf>
  readonly agents: ReturnType<typeof testAgents>
  readonly links: ReturnType<typeof linksOf>
  readonly newBrowser: () => TestBrowser
  /** Forgets the mail so far: whoever waits for one reads all of it. */
  readonly emptyOutbox: () => Promise<void>
}

/** What a schedule starts would move rows while something else is asked. Who starts again writes none either. */
const endSchedules = sql.raw(`
  create function svc_jobs.none() returns trigger language plpgsql as 'begin return null; end';
  create trigger none before insert on svc_jobs.schedule for each row execute function svc_jobs.none();
  delete from svc_jobs.schedule`)

export async function startStage(env: Record<string, string>): Promise<Stage> {
  const auth = await startTestAuth({ definition: stageDefinition(), env })
  await auth.auth.db.execute(endSchedules)
  const admin = await auth.signedInUser({ role: 'superadmin' })
  return {
    ...auth,
    admin,
    provider,
    newAddress: () => `${randomUUID()}@example.com`,
    ask: asking(auth),
    askWithNewKey: async (name: keyof AuthContract, body: object) =>
      asking(auth)(name, { ...body, ...(await createTestKey()).registration }),
    signup: linkOf(auth, 'signup'),
    reset: linkOf(auth, 'reset'),
    contact: contactOf(auth),
    invitations: invitationsOf(auth),
    devices: waitingDevices(auth),
    passkeys: passkeysOf(auth),
    binding: bindingOf(auth),
    agents: testAgents(auth),
    links: linksOf(auth),
    newBrowser: () => testBrowser(auth, { id: provider.id, consent }),
    async emptyOutbox() {
      for (const name of await readdir(auth.outbox))
        await rm(join(auth.outbox, name), { force: true })
    },
  }
}

interface Input {
  params?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
}

/** An operation, signed where a key is given. */
const asking =
  ({ signerOf }: Pick<TestAuth, 'signerOf'>) =>
  (name: keyof AuthContract, body?: unknown, key?: SigningKey, input: Input = {}): Ask =>
  async ({ url }) => {
    const request = directRequest(url, { ...routeMap[name], input: { ...input, body } })
    const signed = key ? await signerOf(key)({ ...request, body: request.body ?? '' }) : {}
    return { ...request, headers: { ...request.headers, ...signed } }
  }
