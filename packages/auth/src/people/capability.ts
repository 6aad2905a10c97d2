import { ForbiddenError } from '@svc/core'
import { recordAudit } from '../audit/audit.ts'
import { defineCapability } from '../capability/capability.ts'
import { exportDataOf } from '../data-export/data-export.ts'
import { refuseAbove } from '../roles/roles.ts'
import { reactivate, suspend } from '../suspension/suspension.ts'
import { byOperator, countChange, counted, entryOf } from './act.ts'
import { peopleActs } from './acts.ts'
import { close, demandPassword, restore, signDeviceOut, signOut } from './change-account.ts'
import { peopleContract } from './contract.ts'
import { createUserBy } from './create-user.ts'
import { peopleVariables } from './env.ts'
import {
  askForRemoval,
  factorRemoval,
  keepFactor,
  mailFactorRemoval,
  pendingFactorRemoval,
  stopFactorRemoval,
} from './factor-removal.ts'
import { findUsers } from './find-users.ts'
import { inviteUsers } from './invite-users.ts'
import { readUser } from './read-user.ts'
import { countMail, countUndoTo, resendMail } from './resend-mail.ts'
import { factorRemovals } from './schema.ts'
import { exportRemovals, forgetRemovals, forgetRemovalsOf } from './store.ts'
import { updateUser } from './update-user.ts'

export const peopleCapability = defineCapability(peopleContract, {
  audit: peopleActs,
  env: peopleVariables,
  tables: { factorRemovals },
  jobs: { factorRemoval },
  linkMails: { factor_removal: mailFactorRemoval },
  handlers: {
    listUsers: async ({ auth, caller, query }) => {
      await auth.limits.take('user list by account', caller.userId)
      return findUsers(auth, query)
    },
    readUser: async ({ auth, caller, params }) => {
      await auth.limits.take('user list by account', caller.userId)
      return readUser(auth, params.userId)
    },
    suspendUser: async ({ auth, c, ...request }) => {
      await byOperator(auth, request, (tx, account, by) => suspend(tx, auth, account, by))
      return c.noContent()
    },
    reactivateUser: async ({ auth, c, ...request }) => {
      await byOperator(auth, request, (tx, account, by) => reactivate(tx, account, by))
      return c.noContent()
    },
    signUserOut: ({ auth, ...request }) => {
      const { caller, body, origin } = request
      const { keyId } = body
      return byOperator(auth, request, (tx, account, by) =>
        keyId === undefined
          ? signOut(tx, auth, { account, by })
          : signDeviceOut(tx, auth, { account, keyId, actor: caller.userId, origin, by }),
      )
    },
    requireNewPassword: async ({ auth, c, ...request }) => {
      await byOperator(auth, request, (tx, account, by) => demandPassword(tx, { account, by }))
      return c.noContent()
    },
    updateUser: async ({ auth, ...request }) => {
      const { caller, params, body: changes } = request
      // It answers what `readUser` does.
      if (!caller.permissions.includes('user:read')) throw new ForbiddenError()
      await countChange(auth, request)
      if (changes.phone !== undefined) {
        await refuseAbove(auth.db, caller, params.userId)
        await countUndoTo(auth, params.userId)
      }
      await counted(auth, request, (tx, account, by) =>
        updateUser(tx, auth, { account, changes, by }),
      )
      return readUser(auth, params.userId)
    },
    closeUser: ({ auth, ...request }) =>
      byOperator(auth, request, (tx, account, by) => close(tx, auth, { account, by })),
    restoreUser: async ({ auth, c, ...request }) => {
      await byOperator(auth, request, (tx, account, by) => restore(tx, auth, { account, by }))
      return c.noContent()
    },
    removeUserFactor: ({ auth, ...request }) => {
      const { passkeyId } = request.body
      return byOperator(auth, request, (tx, account, by) =>
        askForRemoval(tx, auth, { account, passkeyId, by }),
      )
    },
    stopFactorRemoval: async ({ auth, body, origin, c }) => {
      await stopFactorRemoval(auth, body.token, origin)
      return c.noContent()
    },
    pendingFactorRemoval: ({ auth, caller }) => pendingFactorRemoval(auth, caller),
    keepFactor: async ({ auth, caller, origin, c }) => {
      await keepFactor(auth, { caller, origin })
      return c.noContent()
    },
    resendUserMail: async ({ auth, c, ...request }) => {
      const { caller, params, body, origin } = request
      const { mail } = body
      await countChange(auth, request)
      await refuseAbove(auth.db, caller, params.userId)
      await countMail(auth, { userId: params.userId, mail, origin })
      await counted(auth, request, (tx, account, by) => resendMail(tx, auth, { account, mail, by }))
      return c.noContent()
    },
    exportUser: async ({ auth, c, ...request }) => {
      await auth.limits.take('user export by account', request.caller.userId)
      const { userId } = await byOperator(auth, request, async (tx, account, by) => {
        await recordAudit(tx, { act: 'data.exported', ...entryOf(by, account.userId) })
        return account
      })
      const data: Record<string, unknown> = await exportDataOf(auth.db, userId)
      const headers = { 'content-disposition': 'attachment; filename="account-data.json"' }
      return c.json(data, 200, headers)
    },
    createUser: ({ auth, caller, body, origin }) => createUserBy(auth, { caller, body, origin }),
    inviteUsers: ({ auth, caller, body, origin }) => inviteUsers(auth, { caller, body, origin }),
  },
  account: {
    export: { factorRemovals: (db, { userId }) => exportRemovals(db, userId) },
    sweep: forgetRemovals,
    forget: (tx, { userId }) => forgetRemovalsOf(tx, userId),
  },
})
