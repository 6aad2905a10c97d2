import { ForbiddenError, NotFoundError, type OutputOf, route, t } from '@svc/core/contract'
import { UserNotFoundError } from '../accounts/errors.ts'
import { AccountLabel } from '../accounts/fields.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { cursorQuery, nextPage } from '../pagination.ts'

const AgentItem = t.Object({
  clientId: t.String(),
  /** What the program calls itself. */
  name: t.String(),
  uri: t.Optional(t.String()),
  /** Where its users are sent back to. */
  redirectHosts: t.Array(t.String()),
  source: t.Unsafe<'registration' | 'document'>(t.String()),
  createdAt: t.String(),
  /** How many grants to it are active: 1,000 at most. */
  grants: t.Integer(),
  hasMoreGrants: t.Boolean(),
  /** The newest of those that are counted: 10 at most. */
  someGrants: t.Array(
    t.Object({
      grantId: t.String(),
      owner: AccountLabel,
      createdAt: t.String(),
      lastUsedAt: t.Optional(t.String()),
    }),
  ),
})
/** An agent with the number of its active grants, as operators see it. */
export type AgentItem = OutputOf<typeof AgentItem>

const MachineItem = t.Object({
  keyId: t.String(),
  name: t.Optional(t.String()),
  permissions: t.Array(t.String()),
  owner: t.Object({
    userId: t.String(),
    publicId: t.String(),
    email: t.Optional(t.String()),
    phone: t.Optional(t.String()),
    username: t.Optional(t.String()),
  }),
  createdAt: t.String(),
  lastUsedAt: t.Optional(t.String()),
  expiresAt: t.String(),
  isExpired: t.Boolean(),
})
/** A machine's key and its owner, as operators see it. */
export type MachineItem = OutputOf<typeof MachineItem>

/** The address of a client document may be 2,048 characters long, and is in the cursor. */
const query = t.Object(cursorQuery(4000))

/** What acts for users without them: for those who run the application. */
export const programContract = defineContract('programs', {
  at: '/_auth/admin',
  operations: {
    listAgents: allow.may(
      'user:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/agents')
        .input({ query })
        .answer(t.Object({ agents: t.Array(AgentItem), next: nextPage }))
        .errors(...limitRefusals)
        .describe({
          summary: 'The agents of all accounts, the newest first.',
        }),
    ),
    listMachines: allow.may(
      'user:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/machines')
        .input({ query })
        .answer(t.Object({ machines: t.Array(MachineItem), next: nextPage }))
        .errors(...limitRefusals)
        .describe({
          summary: 'The machine keys of all accounts, the newest first.',
        }),
    ),
    endAgentGrant: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/grants/:grantId/end')
        .input({
          params: t.Object({
            grantId: t.String({
              maxLength: 64,
              description: 'As `listAgents` has it.',
            }),
          }),
          body: t.Object({
            reason: t.Optional(
              t.String({ maxLength: 500, description: 'Kept in the audit trail.' }),
            ),
          }),
        })
        .answer(t.Undefined(), 204)
        .errors(
          NotFoundError,
          UserNotFoundError,
          ForbiddenError,
          ...proofRefusals,
          ...limitRefusals,
        )
        .describe({
          summary: 'Ends what an account has allowed an agent.',
        }),
    ),
  },
  limits: { 'program list by account': perMinute(120), 'grant end by account': perMinute(60) },
})
