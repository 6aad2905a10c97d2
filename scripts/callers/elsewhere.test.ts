import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  eventRouter,
  noticePosted,
  orgNoticePosted,
  socketRouter,
} from '../../apps/starter/api/events.ts'
import { jobRouter } from '../../apps/starter/api/jobs.ts'
import { appRouter } from '../../apps/starter/api/router.ts'
import { createAuthSSEClient } from '../../packages/core/src/client.ts'
import type { OfferedTool } from '../../packages/core/src/index.ts'
import { testAgents } from '../../packages/organizations/src/test-agent.ts'
import { cellOf, tableOf } from '../../packages/organizations/src/trials/table.ts'
import { noticeOf, operations, startStarter, takesOrganization } from './test-starter.ts'

const { auth, users, columns, callerOf, ask, askIn, ownOf, otherOf } = await startStarter()
afterAll(() => auth.stop())

const [own, other] = [await ownOf(''), await otherOf('')]

/** No one finds the board of an organization elsewhere, and only operators see anything of one that is not theirs. */
function expectNoRow(as: string, text: string) {
  for (const each of [own, other]) expect(text).not.toContain(noticeOf(each))
  if (as !== 'superadmin') expect(text).not.toContain(other.mark)
}

const streamWords: Readonly<Record<string, string>> = {
  ForbiddenError: 'refused',
  UnauthorizedError: 'unsigned',
}

describe('every stream of the starter', () => {
  const names = eventRouter.eventNames.flatMap((name) =>
    name === 'orgNotice' ? [`${name} own`, `${name} other`] : [name],
  )

  /** Which notices a caller hears: of an organization of theirs, of one of others, and of all. */
  async function heardBy(as: string, name: string) {
    const caller = callerOf(as)
    const [event = '', whose] = name.split(' ')
    const { named } = await ownOf('', as)
    const boards = { own: named.org, other: other.named.org }
    const texts = { own: randomUUID(), other: randomUUID(), public: randomUUID() }
    let heard = ''
    const keep = (payload: unknown) => {
      heard += JSON.stringify(payload)
    }
    const client = createAuthSSEClient<typeof eventRouter>({
      host: auth.url,
      sign: async (request) => {
        if ('token' in caller) return { authorization: `Bearer ${caller.token}` }
        return 'key' in caller ? auth.signerOf(caller.key)(request) : {}
      },
    })
    const { promise, resolve } = Promise.withResolvers<string>()
    const end = client.subscribe({
      // That for all comes last, and tells that there was no other.
      handlers: whose ? {} : { [event]: keep, notice: keep },
      channels: whose ? { orgNotice: { [whose === 'own' ? boards.own : boards.other]: keep } } : {},
      onOpen: () => resolve('open'),
      onRejected: (error: Error) => resolve(error.name),
    })
    try {
      const outcome = await promise
      if (outcome !== 'open') return streamWords[outcome] ?? outcome
      await auth.within(async () => {
        const notice = (text: string) => ({ id: randomUUID(), author: 'ada', text })
        await orgNoticePosted.of(boards.own).emit(notice(texts.own))
        await orgNoticePosted.of(boards.other).emit(notice(texts.other))
        await noticePosted.emit(notice(texts.public))
      })
      const wanted = whose === undefined ? texts.public : '"text"'
      await vi.waitFor(() => expect(heard).toContain(wanted), 10_000)
      const told = Object.entries(texts).filter(([, text]) => heard.includes(text))
      return told.map(([of]) => of).join('+')
    } finally {
      end()
    }
  }

  it('tells each caller so of what is posted on the boards of two organizations', async () => {
    const table = await tableOf(columns, names, (name, as) => heardBy(as, name))
    expect(table).toMatchInlineSnapshot(`
      "                     owner      admin      clerk      member     former     stranger   agent      machine    program    org agent  support    superadmin unsigned
      notice               public     public     public     public     public     public     unsigned   public     public     unsigned   public     public     unsigned
      orgNotice own        own        own        own        own        refused    refused    unsigned   refused    own        unsigned   own        refused    unsigned
      orgNotice other      refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   refused    refused    unsigned
      supportOpenedEvent   public     public     public     public     public     public     unsigned   public     public     unsigned   public     public     unsigned
      supportEndedEvent    public     public     public     public     public     public     unsigned   public     public     unsigned   public     public     unsigned
      keyRevokedEvent      public     public     public     public     public     public     unsigned   public     public     unsigned   public     public     unsigned
      approvalChangedEvent public     public     public     public     public     public     unsigned   public     public     unsigned   public     public     unsigned"
    `)
  })

  it('is among these, if it is a socket', () => {
    expect(socketRouter.eventNames).toEqual(['notice'])
    expect(Object.keys(socketRouter.messages)).toEqual(['echo'])
  })
})

describe('every job of the starter', () => {
  const operationOf = (name: string) => {
    const found = operations.find((each) => each.name === name)
    if (!found) throw new Error(`There is no ${name}.`)
    return found
  }

  it('is this one, and has nothing of the board of an organization', async () => {
    expect(Object.keys(jobRouter)).toEqual(['noticeLog'])
    const inside = await askIn('owner', operationOf('createOrgNotice'), own.named)
    const outside = await ask('superadmin', operationOf('createNotice'), {
      body: { text: 'For all' },
    })
    const [inner, outer] = [inside, outside].map(({ text }) => JSON.parse(text).id)
    const logged = () => JSON.stringify(auth.logged)
    await vi.waitFor(() => expect(logged()).toContain(outer), 10_000)
    expect(logged()).not.toContain(inner)
  })
})

/** What the endpoint of the starter offers. */
function toolsOfStarter() {
  const offers = appRouter.routes.mcp.binding.middlewares.flatMap((middleware) =>
    'tools' in middleware ? (middleware.tools as OfferedTool[]) : [],
  )
  return offers.map((each) => (typeof each === 'string' ? each : each.name))
}

/** To a client of an earlier revision, the reply is the one event of a stream. */
const messageIn = (text: string) => text.replace(/^event: message\ndata: /, '')

describe('every tool of the starter for agents', () => {
  // A new tool needs a line here.
  const given: Readonly<Record<string, object>> = {
    listNotices: { limit: 100 },
    createNotice: { text: 'From an agent' },
    createInvitation: { email: `${randomUUID()}@example.com`, role: 'user' },
    listAuditEvents: { limit: 100 },
  }

  it('shows no row of an organization, and answers each agent so', async () => {
    const agents = testAgents(auth)
    const scope = 'notice:read notice:write user:invite audit:read'
    const tokens: Readonly<Record<string, string>> = {
      person: await agents.tokenOf(users.owner, { scope }),
      organization: await agents.tokenOf(users.owner, { scope, owner: own.named.org }),
      superadmin: await agents.tokenOf(users.superadmin, { scope }),
    }
    const names = toolsOfStarter()
    expect(names).toEqual(Object.keys(given))
    const table = await tableOf(Object.keys(tokens), names, async (name, as) => {
      const params = { name, arguments: given[name] }
      const answer = await auth.fetch('/mcp', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokens[as]}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      const text = await answer.text()
      expectNoRow(as, text)
      if (answer.status !== 200) return cellOf({ status: answer.status, text })
      return JSON.parse(messageIn(text)).result.isError ? 'refused' : 'done'
    })
    expect(table).toMatchInlineSnapshot(`
      "                 person     organization superadmin
      listNotices      done       refused    done
      createNotice     refused    refused    done
      createInvitation refused    refused    refused
      listAuditEvents  refused    refused    done"
    `)
  })
})

// Behind all others, as it ends the callers' keys.
describe('every operation of the starter that takes no organization', () => {
  // The last two end the keys of their callers, and a support session ends with the operator's: one caller asks after
  // another.
  const last = ['endSupportSession', 'logout']
  let turn: Promise<unknown> = Promise.resolve()
  function inTurn(run: () => Promise<string>) {
    const cell = turn.then(run)
    turn = cell
    return cell
  }
  const elsewhere = operations
    .filter((each) => !takesOrganization(each))
    .toSorted((one, two) => last.indexOf(one.name) - last.indexOf(two.name))
  // Without a body, it would revoke the keys of other callers.
  const bodies: Readonly<Record<string, object>> = { revokeAllKeys: { includeCurrent: 'unknown' } }

  it('shows no row of one, and answers each caller so', async () => {
    const names = elsewhere.map(({ name }) => name)
    const table = await tableOf(columns, names, (name, as) =>
      last.includes(name) ? inTurn(() => cellFor(name, as)) : cellFor(name, as),
    )
    async function cellFor(name: string, as: string) {
      const operation = elsewhere.find((each) => each.name === name)
      if (!operation) throw new Error(`There is no ${name}.`)
      // Each organization that it names is replaced by the other one.
      const { path } = operation.route.operation
      const named = [...path.matchAll(/:(\w+)/g)].map(([, each = '']) => [each, other.named.org])
      const params = Object.fromEntries(named)
      const body = bodies[name]
      const answer = await ask(as, operation, { params, ...(body && { body }) })
      expectNoRow(as, answer.text)
      const told = cellOf(answer)
      // What it takes is not there, or it lacks a body: an error of its own.
      return /^\d+ /.test(told) ? 'let in' : told
    }
    expect(table).toMatchInlineSnapshot(`
      "                              owner      admin      clerk      member     former     stranger   agent      machine    program    org agent  support    superadmin unsigned
      getMe                         200        200        200        200        200        200        unsigned   200        200        unsigned   200        200        unsigned
      mailSignOutLink               200        200        200        200        200        200        unsigned   200        200        unsigned   owners     200        unsigned
      listNotices                   200        200        200        200        200        200        200        200        200        200        200        200        200
      createNotice                  refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   refused    let in     unsigned
      mcp                           unsigned   unsigned   unsigned   unsigned   unsigned   unsigned   let in     unsigned   unsigned   let in     unsigned   unsigned   unsigned
      sendVerificationCode          let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      verifyCode                    let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      register                      let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      requestSignupLink             let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      confirmSignupLink             let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      completeSignup                let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      login                         let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      startDeviceAuth               let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      pollDeviceAuth                let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      getDeviceAuthInfo             let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      approveDeviceAuth             let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      denyDeviceAuth                let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      passkeyRegisterOptions        200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      passkeyRegisterVerify         let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      passkeyLoginOptions           200        200        200        200        200        200        200        200        200        200        200        200        200
      passkeyLoginVerify            let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      listPasskeys                  200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      renamePasskey                 let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      revokePasskey                 let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      mfaStatus                     200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      mfaStatusOfDevice             200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      mfaTotpEnroll                 let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      mfaTotpConfirm                let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      mfaDisable                    204        204        204        204        204        204        unsigned   refused    refused    unsigned   owners     204        unsigned
      mfaMarkPasskey                let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      mfaRegenerateRecoveryCodes    let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      mfaStepUpOptions              let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      mfaStepUp                     let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      mfaVerifyOptions              let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      mfaVerify                     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      proveRecentOptions            let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      proveRecent                   let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      providers                     200        200        200        200        200        200        200        200        200        200        200        200        200
      getGoogleOAuthUrl             let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      getProviderOAuthUrl           let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      start                         let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      redirectToProvider            let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      oauthCallback                 let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      finalize                      let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      oauthNative                   let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      unlinkNotifyByQuery           let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      unlinkNotify                  let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      listSocialAccounts            200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      linkSocialAccount             let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      unlinkSocialAccount           let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      getAuthSession                200        200        200        200        200        200        unsigned   200        200        unsigned   200        200        unsigned
      getSessionBinding             200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      setSessionBinding             let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      sessionBindingDisableOptions  let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      sessionRenewOptions           let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      sessionRenewVerify            let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      listKeys                      200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      revokeKey                     let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      rotateKey                     let in     let in     let in     let in     let in     let in     unsigned   let in     let in     unsigned   owners     let in     unsigned
      createMachineKey              let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      revokeAllKeys                 let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      confirmRevokeAllLink          let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      consumeRevokeAllLink          let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      changePassword                let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      requestPasswordReset          let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      confirmPasswordReset          let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      completePasswordReset         let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      issueOneTimeToken             200        200        200        200        200        200        unsigned   200        200        unsigned   owners     200        unsigned
      checkUsername                 let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      updateUsername                let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      updateLocale                  let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      getUserProfile                200        200        200        200        200        200        unsigned   refused    refused    unsigned   200        200        unsigned
      updateUserProfile             200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      changeEmail                   let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      changePhone                   let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      confirmContactUndoLink        let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      consumeContactUndoLink        let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      createInvitation              refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      listInvitations               refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      getInvitation                 let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      acceptInvitation              let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      cancelInvitation              refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      resendInvitation              refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      deleteInvitation              refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      requestAccountDeletion        let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      cancelAccountDeletion         let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      exportUserData                200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      listRoles                     refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      createAdminRole               refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      updateAdminRole               refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      deleteAdminRole               refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      updateUserRole                refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      addUserRole                   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      removeUserRole                refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      listUsers                     refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      readUser                      refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      suspendUser                   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      reactivateUser                refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      signUserOut                   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      requireNewPassword            refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      updateUser                    refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      closeUser                     refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      restoreUser                   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      removeUserFactor              refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      stopFactorRemoval             let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      pendingFactorRemoval          200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      keepFactor                    204        204        204        204        204        204        unsigned   refused    refused    unsigned   owners     204        unsigned
      resendUserMail                refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      exportUser                    refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      createUser                    refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      inviteUsers                   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listAuditEvents               refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listStreams                   refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      endStream                     refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      listJobQueues                 refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listJobs                      refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      readJob                       refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      retryJob                      refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      cancelJob                     refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      listAgents                    refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listMachines                  refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      endAgentGrant                 refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      readServerState               refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      listLimitHits                 refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     200        unsigned
      openSupportSession            refused    refused    refused    refused    refused    refused    unsigned   refused    refused    unsigned   owners     let in     unsigned
      createSupportCode             200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      getOAuth2Authorize            let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     let in
      createOAuth2AuthorizationCode let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      oauth2Token                   let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      oauth2Revoke                  let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      oauth2Introspect              let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      listOAuth2Grants              200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      getOAuth2Grant                let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      revokeOAuth2Grant             let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      oauth2DeviceAuthorization     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      getOAuth2DeviceRequest        let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      decideOAuth2DeviceRequest     let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      registerOAuth2Client          let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     let in
      listApprovals                 200        200        200        200        200        200        unsigned   refused    refused    unsigned   owners     200        unsigned
      approveCall                   let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      refuseCall                    let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   owners     let in     unsigned
      relatedOrigins                let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      oauthAuthorizationServer      200        200        200        200        200        200        200        200        200        200        200        200        200
      oauthProtectedResource        200        200        200        200        200        200        200        200        200        200        200        200        200
      oauthProtectedResource1       let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      oauthProtectedResource2       let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      oauthProtectedResource3       let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      oauthProtectedResource4       let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      openidConfiguration           let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      openidKeys                    let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      getOpenidUserinfo             let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      postOpenidUserinfo            let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      getOpenidLogout               let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      postOpenidLogout              let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      describeOpenidLogout          let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      showMailbox                   200        200        200        200        200        200        200        200        200        200        200        200        200
      showMessage                   let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in     let in
      endSupportSession             let in     let in     let in     let in     let in     let in     unsigned   refused    refused    unsigned   let in     let in     unsigned
      logout                        204        204        204        204        204        204        unsigned   204        204        unsigned   owners     204        unsigned"
    `)
  })
})
