import { createTestKey, type TestKey, type TestUser } from '@svc/auth/testing'
import { createAuthSSEClient, requestSigner } from '@svc/core/client'
import type { eventRouter } from '../../api/events.ts'
import { app } from './running-web-app.ts'
import type { Visitor } from './visitor.ts'

const { api } = app

const operator = await newOperator()

/** What every page of the account says while the session is open. */
export const notice = ({ page }: Visitor) =>
  page.getByText(/^Support is signed in to your account: Hedy Lamarr, until \d+:\d\d\.$/)

/** The session in the list of devices. */
export const listed = ({ page }: Visitor) =>
  page.getByRole('listitem').filter({ hasText: 'Support session' })

/** An operator with a name that owners read. */
async function newOperator() {
  const { key, ...user } = await api.signedInUser({ role: 'superadmin' })
  await answered(api.call('updateUserProfile', { displayName: 'Hedy Lamarr' }, key))
  return { key, ...user }
}

type Owner = Pick<TestUser, 'userId' | 'email' | 'password'>

/** A support session on an account, with a code that its owner has made on another device. */
export async function supportOn({ userId, email, password }: Owner) {
  const key = await api.signIn({ email, password })
  const { code } = await answered(api.call('createSupportCode', {}, key))
  return openSupport({ userId, code })
}

export async function openSupport({ userId, code }: { userId: string; code: string }) {
  await api.proveRecent(operator)
  const key = await createTestKey()
  const body = { userId, code, reason: 'Ticket 4711', ...key.registration }
  await answered(api.call('openSupportSession', body, operator.key))
  return {
    end: () => answered(api.call('endSupportSession', { keyId: key.keyId }, operator.key)),
    status: async () => (await api.call('getAuthSession', undefined, key)).status,
    stream: () => streamOf(key),
  }
}

/** A stream of notices, once it is open. `ended` resolves when the server has ended it. */
async function streamOf(key: TestKey) {
  const client = createAuthSSEClient<typeof eventRouter>({
    host: api.url,
    sign: requestSigner(key),
    reconnect: false,
  })
  const ended = Promise.withResolvers<void>()
  await new Promise<void>((resolve) => {
    client.subscribe({
      handlers: { notice: () => {} },
      onOpen: () => resolve(),
      onClose: () => ended.resolve(),
    })
  })
  return { ended: ended.promise }
}

async function answered(asked: ReturnType<typeof api.call>) {
  const { status, body } = await asked
  if (status >= 300) throw new Error(JSON.stringify(body))
  return body
}
