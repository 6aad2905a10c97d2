import { randomUUID } from 'node:crypto'
import type { TestServer } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import type { AuthContract } from '../../auth-contract.ts'
import { deletionOn, purgeAccount } from '../../deletion/deletion.ts'
import { authenticatorApp, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { reactivateUser, suspendUser } from '../../suspension/suspension.ts'
import {
  createTestKey,
  startTestAuth,
  type TestAnswer,
  type TestAuth,
  type TestKey,
} from '../../testing.ts'
import { type Act, type Command, type Model, newAccount, type Of, type Proof } from './state.ts'

const passwords = ['a first horse of tests', 'a second horse of tests', 'a third horse of tests']
const noToken = 'A'.repeat(43)

/** What was mailed last. */
const mailed = { url: '', code: '' }
const letter = { subject: 's', text: 't' }
const templates = {
  'password-reset': ({ url }: { url: string }) => {
    mailed.url = url
    return letter
  },
  'verification-code': ({ code }: { code: string }) => {
    mailed.code = code
    return letter
  },
  'new-device': null,
  'password-changed': null,
  'deletion-requested': null,
  'deletion-cancelled': null,
  'second-factor-added': null,
  'second-factor-removed': null,
  'second-factor-failed': null,
  'recovery-code-used': null,
  'recovery-codes-made': null,
  'support-opened': null,
  'support-ended': null,
}

export interface ModelledAuth extends TestAuth {
  readonly second: TestServer
}

/** Two instances whose mail is read as it is written, and which purge when they are told to. */
export async function startModelledAuth(): Promise<ModelledAuth> {
  const env = { ...withKeyring(), SVC_AUTH_LINK_MAIL_DELIVERY: 'inline' }
  const auth = await startTestAuth({ env, options: { templates, support: {} } })
  const second = await auth.secondInstance()
  // What they do by the hour of this machine would come between two steps.
  await auth.auth.db.execute(sql`delete from svc_jobs.schedule`)
  return { ...auth, second }
}

type Answered = Pick<TestAnswer, 'status' | 'body'>
type Call = (name: keyof AuthContract, body?: object) => Promise<TestAnswer>
type Perform<A extends Act> = (command: Of<A>, call: Call) => Promise<Answered | string>
export type Service = Awaited<ReturnType<typeof newService>>

/** The service as one run of the model sees it: accounts, keys and secrets of its own. */
export async function newService(auth: ModelledAuth) {
  auth.second.clock.set(auth.clock.now())
  const run = randomUUID()
  const keys = new Map<string, Promise<TestKey>>()
  /** What commands were answered, by the command: the secrets in it are presented later. */
  const answers = new Map<string, TestAnswer['body']>()
  const userIds = new Map<string, string>()

  const emailOf = (address: string) => `${address}-${run}@example.com`
  const credential = (address: string, password: number) => ({
    email: emailOf(address),
    password: passwords[password] as string,
  })
  const { userId } = await auth.createUser(credential('one', 0))
  userIds.set('one', userId)
  const operator = await auth.createUser({ role: 'superadmin' })
  const now = auth.clock.now().getTime()
  const nothing = { keys: {}, devices: {}, links: {}, challenges: {} }
  const model: Model = { now, accounts: { first: newAccount('one') }, ...nothing }

  function keyOf(name: string) {
    const key = keys.get(name) ?? createTestKey()
    keys.set(name, key)
    return key
  }
  const fieldsOf = async (name: string) => (await keyOf(name)).registration
  const typed = (device: string) => ({ userCode: answers.get(device).userCode })

  /** What an app shows now that a command has enrolled. */
  const codeOf = (app: string | null) =>
    app === null ? 'wrong' : authenticatorApp(auth, answers.get(app).secret).codeAt()

  function proofOf(proof: Proof) {
    if (proof.kind === 'code') return { code: codeOf(proof.app) }
    return { recoveryCode: answers.get(proof.set).recoveryCodes[proof.index] }
  }

  async function register({ address, key }: Of<'register'>, call: Call) {
    const email = emailOf(address)
    const use = { target: email, targetType: 'email', purpose: 'registration' }
    await call('sendVerificationCode', use)
    await auth.auth.notifier.close()
    const { verificationToken } = (await call('verifyCode', { ...use, code: mailed.code })).body
    const fields = await fieldsOf(key)
    const answer = await call('register', {
      ...credential(address, 0),
      verificationToken,
      ...fields,
    })
    if (answer.status === 200) userIds.set(address, answer.body.userId)
    return answer
  }

  async function onUser(address: string, change: (userId: string) => Promise<void>) {
    const refusal = (error: Error) => `409 ${error.name}`
    return change(userIds.get(address) as string).then(() => 'done', refusal)
  }

  const performs: { [A in Act]: Perform<A> } = {
    register,
    login: async ({ address, key, password }, call) =>
      call('login', { ...credential(address, password), ...(await fieldsOf(key)) }),
    logout: (_, call) => call('logout'),
    rotateKey: async ({ key }, call) => call('rotateKey', await fieldsOf(key)),
    revokeKey: async ({ key, keepMade }, call) =>
      call('revokeKey', { keyId: (await keyOf(key)).keyId, keepMade }),
    revokeAllKeys: ({ includeCurrent }, call) => call('revokeAllKeys', { includeCurrent }),
    changePassword: ({ password, next }, call) =>
      call('changePassword', {
        currentPassword: passwords[password],
        newPassword: passwords[next],
      }),
    startDevice: async ({ key }, call) => call('startDeviceAuth', await fieldsOf(key)),
    lookAtDevice: ({ device }, call) => call('getDeviceAuthInfo', typed(device)),
    approveDevice: ({ device }, call) => call('approveDeviceAuth', typed(device)),
    denyDevice: ({ device }, call) => call('denyDeviceAuth', typed(device)),
    pollDevice: ({ device }, call) =>
      call('pollDeviceAuth', { deviceCode: answers.get(device).deviceCode }),
    async requestReset({ address }, call) {
      mailed.url = ''
      const { status } = await call('requestPasswordReset', { email: emailOf(address) })
      await auth.auth.linkMail.close()
      return { status, body: { token: /token=([\w-]+)/.exec(mailed.url)?.[1] } }
    },
    async openReset({ link }, call) {
      const answer = await call('confirmPasswordReset', { token: answers.get(link).token })
      if (answer.status === 200) answers.get(link).setupSecret = answer.body.setupSecret
      return answer
    },
    completeReset: async ({ link, key, next }, call) =>
      call('completePasswordReset', {
        setupSecret: answers.get(link).setupSecret ?? noToken,
        password: passwords[next],
        ...(await fieldsOf(key)),
      }),
    enrol: (_, call) => call('mfaTotpEnroll', {}),
    confirmFactor: ({ app }, call) => call('mfaTotpConfirm', { code: codeOf(app) }),
    disableFactor: (_, call) => call('mfaDisable'),
    regenerateCodes: (_, call) => call('mfaRegenerateRecoveryCodes', {}),
    stepUp: ({ proof }, call) => call('mfaStepUp', proofOf(proof)),
    verifyFactor({ challenge, proof }, call) {
      const { secret } = answers.get(challenge).challenge
      return call('mfaVerify', { challenge: secret, ...proofOf(proof) })
    },
    requestDeletion: ({ password }, call) =>
      call('requestAccountDeletion', { password: passwords[password] }),
    cancelDeletion: ({ address, password }, call) =>
      call('cancelAccountDeletion', credential(address, password)),
    async purge() {
      for (const owner of userIds.values()) await purgeAccount(deletionOn(auth.auth.db), owner)
      return 'done'
    },
    suspend: ({ address }) => onUser(address, suspendUser),
    reactivate: ({ address }) => onUser(address, reactivateUser),
    // Their key is as old as the session that it opens, so that it does not end one here.
    async openSupport({ address, key }) {
      const own = await auth.signIn(operator)
      const body = { userId: userIds.get(address), reason: 'ticket 7', ...(await fieldsOf(key)) }
      return auth.call('openSupportSession', body, own)
    },
    endSupport: async ({ by }, call) =>
      call('endSupportSession', { keyId: (await keyOf(by)).keyId }),
    async wait({ millis }) {
      for (const { clock } of [auth, auth.second]) clock.advance(millis)
      return 'done'
    },
  }

  /** Sends it, and answers in the words of the model. */
  async function perform(command: Command, at: TestServer = auth.server) {
    const key = 'by' in command ? await keyOf(command.by) : undefined
    const call: Call = (name, body) => auth.call(name, body, key, { at })
    const answer = await (performs[command.act] as Perform<Act>)(command, call)
    if (typeof answer === 'string') return answer
    answers.set(command.id, answer.body)
    return said(command.act, answer)
  }

  /** What each key is told that asks who is signed in. */
  async function sessions(names: string[], at: TestServer = auth.server) {
    const told = names.map(async (name) => {
      const answer = await auth.call('getAuthSession', undefined, await keyOf(name), { at })
      return [name, said('login', answer)] as const
    })
    return Object.fromEntries(await Promise.all(told))
  }

  return { model, perform, sessions }
}

function said(act: Act, { status, body }: Answered) {
  if (status >= 400) return `${status} ${body.error.code}`
  if (act === 'pollDevice') return `${status} ${body.status}`
  if (act === 'revokeKey') return `${status} ${body.selfRevoked} ${body.ended?.length ?? 0}`
  if (act === 'revokeAllKeys') return `${status} ${body.revokedCount} ${body.currentKeyRevoked}`
  return `${status}`
}
