import { randomUUID } from 'node:crypto'
import { defineRouter, defineServer, type Router, type ServerDefinition, type Tx } from '@svc/core'
import { directRequest, type RequestToSign, requestSigner, type SigningKey } from '@svc/core/client'
import { startTestServer, type TestServer } from '@svc/core/testing'
import { createTestOutbox } from '@svc/notification/testing'
import { eq } from 'drizzle-orm'
import { createAccount, readTarget, setRoles } from './accounts/accounts.ts'
import { users } from './accounts/schema.ts'
import { accessTable, answersToCallers } from './answers-to-callers.ts'
import { answersToStrangers } from './answers-to-strangers.ts'
import { authOf } from './auth.ts'
import type { AuthContract } from './auth-contract.ts'
import { authenticate } from './authenticate/authenticate.ts'
import type { AnyContract } from './capability/contract.ts'
import { codeIn, tokenIn } from './codes/read-message.ts'
import { deletionOn, purgeAccount } from './deletion/deletion.ts'
import { type DeviceKey, describeKey, generateKeyPair } from './device-key/device-key.ts'
import { deviceKeys } from './keys/schema.ts'
import { type AuthOptions, createAuthLifecycle } from './lifecycle.ts'
import { totpCode as codeOfStep } from './mfa/mfa.ts'
import type { Purpose } from './purpose.ts'
import { routeMap } from './route-map.generated.ts'
import { authRouter, createAuthRouter } from './router.ts'

/** What `startTestAuth` starts: sign-in alone, with routes of yours, or a whole application. */
export interface TestAuthOptions {
  env?: Record<string, string>
  options?: AuthOptions
  /** Routes of an application, behind `authenticate`. */
  router?: Router
  /** An application as it is, in place of `options` and `router`. */
  definition?: ServerDefinition
}

/** A device's key with what registers it. */
export type TestKey = DeviceKey

/** A user who is signed in with `key`, and whose password the test knows. */
export interface TestUser {
  readonly userId: string
  readonly publicId: string
  readonly email: string
  readonly password: string
  readonly key: TestKey
}

/** The response of an operation. */
export interface TestAnswer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they have just asked for
  readonly body: any
  readonly headers: Headers
}

/** What `call` of a test server sends besides the body. */
export interface CallInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  /** The server that gets the request, if there are several on one database. */
  at?: TestServer
}

/** The password of users that a test creates without another one. */
export const testPassword = 'correct horse battery staple'

/**
 * A test server with sign-in, as `startTestAuth` returns it: users, calls, clock, outbox and
 * database.
 */
export type TestAuth = Awaited<ReturnType<typeof startTestAuth>>

/** A server with sign-in on a database of its own, and what tests of it need. */
export async function startTestAuth({ env = {}, ...given }: TestAuthOptions = {}) {
  const outbox = await createTestOutbox()
  const variables = {
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough for any check',
    SVC_AUTH_BCRYPT_SALT_ROUNDS: '4',
    SVC_RATE_LIMIT: 'off',
    ...outbox.env,
    ...env,
  }
  const definition = given.definition ?? definitionOf(given)
  const server = await startTestServer(definition, { env: variables, database: true })
  const others: TestServer[] = []
  const auth = authOf(server.infrastructure)

  /** Another instance of the same application on the same database. Its clock begins at the time of the first. */
  async function secondInstance() {
    const DATABASE_URL = server.infrastructure.database?.url
    const other = await startTestServer(definition, { env: { ...variables, DATABASE_URL } })
    other.clock.set(server.clock.now())
    others.push(other)
    return other
  }

  async function call(
    name: keyof AuthContract,
    body?: unknown,
    key?: SigningKey,
    { at = server, ...input }: CallInput = {},
  ): Promise<TestAnswer> {
    const request = directRequest(at.url, { ...routeMap[name], input: { ...input, body } })
    const { url, ...init } = request
    const signed = key ? await signerOf(key)({ ...request, body: request.body ?? '' }) : {}
    return readAnswer(await fetch(url, { ...init, headers: { ...init.headers, ...signed } }))
  }

  /** Signs at the server's time. */
  function signerOf(key: SigningKey) {
    const sign = requestSigner(key)
    return (request: RequestToSign) => sign({ ...request, nowMillis: server.clock.now().getTime() })
  }

  async function createUser({
    role = 'user',
    /** Further roles. */
    otherRoles = [] as string[],
    email = `${randomUUID()}@example.com`,
    password = testPassword,
  } = {}) {
    const now = server.clock.now()
    const passwordHash = await auth.passwords.hash(password)
    const account = await auth.db.transaction(async (tx: Tx) => {
      const created = await createAccount(tx, {
        email,
        emailVerifiedAt: now,
        passwordHash,
        role,
        now,
      })
      if (created && otherRoles.length > 0) await setRoles(tx, created, [role, ...otherRoles])
      return created
    })
    if (!account) throw new Error(`${email} is taken.`)
    return { userId: account.userId, publicId: account.publicId, email, password }
  }

  async function signIn(user: { email: string; password: string }): Promise<TestKey> {
    const key = await createTestKey()
    const { email, password } = user
    const answer = await call('login', { email, password, ...key.registration })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return key
  }

  /** Gives a fresh proof by password, with `proveRecent`. */
  async function proveRecent({ key, password }: Pick<TestUser, 'key' | 'password'>) {
    const { status, body } = await call('proveRecent', { password }, key)
    if (status !== 204) throw new Error(JSON.stringify(body))
  }

  /** Asks for a code and reads it from the message. */
  function requestCode(target: string, purpose: Purpose = 'login') {
    const targetType = target.includes('@') ? 'email' : 'phone'
    const { value } = readTarget(target, targetType)
    const ask = () => call('sendVerificationCode', { target, targetType, purpose })
    return outbox.sentBy(ask, value, 'verification-code').then(codeIn)
  }

  /** The token of the link that is mailed to an address while `ask` runs, or soon after. */
  async function linkSentBy(ask: () => Promise<unknown>, to: string, template: string) {
    return tokenIn(await outbox.sentBy(ask, to, template))
  }

  /** The token that a code was exchanged for. */
  async function verificationToken(target: string, purpose: Purpose = 'login'): Promise<string> {
    const code = await requestCode(target, purpose)
    const targetType = target.includes('@') ? 'email' : 'phone'
    const { status, body } = await call('verifyCode', { target, targetType, purpose, code })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.verificationToken
  }

  /** Deletes an account as its owner does: asks for it, and lets the days of grace pass. */
  async function purge({ userId, password, key }: TestUser) {
    const { status, body } = await call('requestAccountDeletion', { password }, key)
    if (status !== 200) throw new Error(JSON.stringify(body))
    server.clock.set(new Date(new Date(body.purgeScheduledAt).getTime() + 1000))
    await server.within(() => purgeAccount(deletionOn(auth.db), userId))
  }

  async function signedInUser(as?: Parameters<typeof createUser>[0]): Promise<TestUser> {
    const user = await createUser(as)
    return { ...user, key: await signIn(user) }
  }

  /**
   * What each operation that is not open to all answers to a stranger, to a suspended superadmin
   * whose key still exists, and to a user without the permission.
   */
  async function callersOf(contract: AnyContract) {
    const [user, gone] = [await signedInUser(), await signedInUser({ role: 'superadmin' })]
    const { userId } = gone
    await auth.db.update(users).set({ status: 'suspended' }).where(eq(users.userId, userId))
    const callers = { url: server.url, signerOf, user: user.key, suspended: gone.key }
    return answersToCallers(contract, callers)
  }

  return {
    ...server,
    server,
    auth,
    outbox: outbox.directory,
    call,
    signerOf,
    createUser,
    signIn,
    proveRecent,
    secondInstance,
    requestCode,
    verificationToken,
    linkSentBy,
    purge,
    /** Runs the part of every capability that deletes what has expired. */
    sweep: () => server.within(() => auth.parts.sweep(auth.db, server.clock.now())),
    /**
     * What each operation answers a stranger in the end: 401 if it needs a credential. Any other is
     * called until its limit is used up, and answers 429: start the server with `SVC_RATE_LIMIT:
     * 'on'`.
     */
    answersToStrangers: (contract: AnyContract) => answersToStrangers(server.url, contract),
    /** Every operation with its callers. */
    accessOf: (contract: AnyContract) => accessTable([contract]),
    answersToCallers: callersOf,
    sentBy: outbox.sentBy,
    messagesTo: outbox.messagesTo,
    signedInUser,
    /** The rows of an account's keys, in every state. */
    keysOf: (userId: string) =>
      auth.db.select().from(deviceKeys).where(eq(deviceKeys.userId, userId)),
    stop: async () => {
      for (const other of others) await other.stop()
      await server.stop()
      await outbox.remove()
    },
  }
}

function definitionOf({ options = {}, router = defineRouter({}) }: TestAuthOptions) {
  // Tests sign in by the thousand, and few look for the mail about a new device. One that does sets
  // `templates`, even to none.
  const { templates = { 'new-device': null }, capabilities = [] } = options
  const contracts = capabilities.map(({ contract }) => contract)
  const service = contracts.length > 0 ? createAuthRouter({ contracts }) : authRouter
  const application = router.packages([service]).use([authenticate])
  const lifecycle = createAuthLifecycle({ ...options, templates })
  return defineServer().routes(application).lifecycle(lifecycle)
}

async function readAnswer(answer: Response): Promise<TestAnswer> {
  const text = await answer.text()
  const { status, headers } = answer
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** What an authenticator app with the secret shows at that time. */
export function totpCode(secret: string, now: Date) {
  return codeOfStep(secret, Math.floor(now.getTime() / 30_000))
}

/** A key pair as a device makes one. */
export async function createTestKey(algorithm: TestKey['algorithm'] = 'ES256'): Promise<TestKey> {
  const { publicKey, privateKey } = await generateKeyPair({ algorithm, extractable: true })
  const keyId = `key-${randomUUID()}`
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  const registration = await describeKey(spki, { keyId, algorithm })
  return { keyId, algorithm, privateKey, registration }
}
