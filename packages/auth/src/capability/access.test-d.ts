import type { Tx } from '@svc/core'
import { route, t } from '@svc/core/contract'
import { describe, expectTypeOf, it } from 'vitest'
import type { Auth } from '../auth.ts'
import type { Caller, FreshCaller, ProvableCaller, RequestOrigin } from '../caller/caller.ts'
import { approveDeviceAuth } from '../device/decide-device-auth.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { createInvitation } from '../invitations/invitations.ts'
import { lockCaller, registerKey } from '../keys/keys.ts'
import { createMachineKey } from '../machine-keys/create-machine-key.ts'
import { mfaTotpEnroll } from '../mfa/mfa-totp.ts'
import { decide } from '../oauth2/grants/grants.ts'
import { passkeyRegisterOptions } from '../passkeys/passkey-register.ts'
import { createAdminRole } from '../roles/change-roles.ts'
import { updateUserRole } from '../roles/user-roles.ts'
import { authRouter } from '../router.ts'
import { linkSocialAccount } from '../social/linking/linking.ts'
import { allow, type Operations } from './access.ts'
import type { Handlers } from './define-capability.ts'
import type { Registration } from './ways.ts'

const operation = route.post('/_auth/x').input({ body: t.Object({ name: t.String() }) })
const open = { ask: allow.public('uncounted')(operation.answer(t.Object({ ok: t.Boolean() }))) }
const closed = { ask: allow.bearer('owner only')(operation) }

/** Binds operations to what they do, as `defineCapability` does. */
declare function implement<const All extends Operations>(
  operations: All,
  handlers: Handlers<All, Auth & { audit: never; ways: never }>,
): void

describe('an operation', () => {
  it('says who may call it, or does not compile', () => {
    // @ts-expect-error -- it does not say who may call it
    implement({ ask: operation }, { ask: () => ({}) })
    implement(closed, { ask: () => ({}) })
  })

  it('says which limit an address has where no key has to sign, or does not compile', () => {
    // @ts-expect-error -- it names no limit for an address
    implement({ ask: allow.public(operation) }, { ask: () => ({}) })
    // @ts-expect-error -- that is not a limit of an address
    allow.public('login by account')
  })

  it('says whether a support session may call it where any key can sign it, or does not compile', () => {
    // @ts-expect-error -- it does not say so
    implement({ ask: allow.bearer(operation) }, { ask: () => ({}) })
    // @ts-expect-error -- it does not say so
    implement({ ask: allow.anyKey(operation) }, { ask: () => ({}) })
    // @ts-expect-error -- it does not say so
    allow.may('user:read')
    // @ts-expect-error -- that says nothing of it
    allow.bearer('owner')
    implement({ ask: allow.anyKey('support too')(operation) }, { ask: () => ({}) })
    // @ts-expect-error -- what asks for a proof is the owner's alone
    allow.fresh('support too')
    // @ts-expect-error -- what asks for a proof is the owner's alone
    allow.stepUp('support too')
  })

  it('knows no caller where the operation is open to all', () => {
    implement(open, {
      ask: ({ caller }) => {
        expectTypeOf(caller).toEqualTypeOf<undefined>()
        return { ok: true }
      },
    })
    implement(closed, {
      ask: ({ caller, body }) => {
        expectTypeOf(caller).toEqualTypeOf<Caller>()
        expectTypeOf(body).toEqualTypeOf<{ name: string }>()
        return {}
      },
    })
  })

  it('is implemented, and answers what it declares', () => {
    // @ts-expect-error -- it has no handler
    implement(open, {})
    // @ts-expect-error -- that is not its answer
    implement(open, { ask: () => ({ ok: 'yes' }) })
  })

  it('keeps its access in the router', () => {
    expectTypeOf(authRouter.routes.login.access).toEqualTypeOf<'public'>()
    expectTypeOf(authRouter.routes.approveDeviceAuth.access).toEqualTypeOf<'fresh'>()
    expectTypeOf(authRouter.routes.listRoles.access).toEqualTypeOf<'superadmin'>()
    expectTypeOf(authRouter.routes.listAuditEvents.access).toEqualTypeOf<'may audit:read'>()
  })
})

interface Given<Who extends Caller> {
  auth: Auth & { audit: never; ways: never }
  caller: Who
  origin: RequestOrigin
}

const none = {} as never

describe('an operation that mints a credential or gives power', () => {
  it('does not compile without fresh access (decisions 16)', () => {
    implement(
      { ask: allow.stepUp(operation) },
      {
        ask: ({ auth, caller, origin }) => {
          const given = { caller, origin }
          // @ts-expect-error -- a signature is no proof
          void approveDeviceAuth(auth, { ...given, userCode: '' })
          // @ts-expect-error -- a signature is no proof
          void createMachineKey(auth, { ...given, body: none })
          // @ts-expect-error -- a signature is no proof
          void passkeyRegisterOptions(auth, caller)
          // @ts-expect-error -- a signature is no proof
          void mfaTotpEnroll(auth, caller)
          // @ts-expect-error -- a signature is no proof
          void linkSocialAccount(auth, { caller, raw: none, provider: '', returnUrl: '' })
          // @ts-expect-error -- a signature is no proof
          void updateUserRole(auth, { ...given, userId: '', role: '' })
          // @ts-expect-error -- a signature is no proof
          void createAdminRole(auth, { ...given, role: none })
          // @ts-expect-error -- a signature may ask for no proof either
          void createInvitation(auth, { ...given, body: none })
          // @ts-expect-error -- a signature may ask for no proof either
          void decide(auth, { ...given, fields: none, raw: none })
          return {}
        },
      },
    )
  })

  it('is given a caller who has proved it, or may be asked to', () => {
    const mint = ({ auth, caller, origin }: Given<FreshCaller>) => {
      void approveDeviceAuth(auth, { caller, origin, userCode: '' })
      void createMachineKey(auth, { caller, origin, body: none })
    }
    const offer = ({ auth, caller, origin }: Given<ProvableCaller>) =>
      createInvitation(auth, { caller, origin, body: none })
    implement({ ask: allow.fresh(operation) }, { ask: (given) => mint(given) })
    implement({ ask: allow.freshSuperadmin(operation) }, { ask: (given) => mint(given) })
    implement(
      { ask: allow.freshForSomeMay('user:invite')(operation) },
      {
        ask: (given) => {
          void offer(given)
          // @ts-expect-error -- it was not asked for yet
          mint(given)
        },
      },
    )
  })

  it('puts no key under an account that a signature alone has locked', async () => {
    const [tx, stale, fresh] = [{} as Tx, {} as Caller, {} as FreshCaller]
    const registration = {} as Omit<Registration, 'account'>
    // @ts-expect-error -- a signature is no proof
    await registerKey(tx, { ...registration, account: await lockCaller(tx, stale) })
    await registerKey(tx, { ...registration, account: await lockFresh(tx, fresh) })
  })
})
