import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import type { AuthOptions } from '../../lifecycle.ts'
import { createTestKey, type TestAuth, type TestKey, testPassword } from '../../testing.ts'
import { invitations } from '../schema.ts'

const role = (name: string, priority: number) => ({ name, displayName: `The ${name}`, priority })

/** `auditor` holds what an admin does not; `host` may invite. */
export const testRoles: AuthOptions = {
  roles: [role('clerk', 20), role('auditor', 20), role('host', 30), role('resting', 20)],
  rolePermissions: {
    clerk: ['user:read'],
    auditor: ['rbac:role:manage'],
    host: ['user:invite', 'user:read'],
  },
}

export interface Sent {
  readonly invitationId: string
  readonly email: string
  readonly token: string
}

/** The steps of an invitation, as the inviter and the reader of the mail take them. */
export function stepsOf(auth: TestAuth) {
  const { db } = auth.auth
  const newAddress = () => `${randomUUID()}@example.com`

  const create = (key: TestKey, fields: Record<string, unknown> = {}) =>
    auth.call('createInvitation', { email: newAddress(), role: 'user', ...fields }, key)

  /** Invites an address, and reads the link that is mailed there. */
  async function invite(key: TestKey, fields: Record<string, unknown> = {}): Promise<Sent> {
    const { email = newAddress() } = fields as { email?: string }
    let invitationId = ''
    const ask = async () => {
      const { status, body } = await create(key, { ...fields, email })
      if (status !== 201) throw new Error(JSON.stringify(body))
      invitationId = body.invitationId
    }
    const token = await auth.linkSentBy(ask, email, 'invitation')
    return { invitationId, email, token }
  }

  const lookUp = (token: string) => auth.call('getInvitation', { token })

  async function accept(
    token: string,
    { key, ...fields }: { key?: TestKey; [field: string]: unknown } = {},
  ) {
    const { registration } = key ?? (await createTestKey())
    return auth.call('acceptInvitation', {
      token,
      password: testPassword,
      ...registration,
      ...fields,
    })
  }

  const inDays = (days: number) =>
    new Date(auth.clock.now().getTime() + days * 86_400_000).toISOString()

  const accountsAt = (email: string) => db.select().from(users).where(eq(users.email, email))

  async function rowOf(invitationId: string) {
    const rows = db.select().from(invitations).where(eq(invitations.invitationId, invitationId))
    return (await rows)[0]
  }

  /** Who did what to it, in this order. */
  async function trailOf(invitationId: string) {
    const rows = db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.target, invitationId))
      .orderBy(auditEvents.auditId)
    return (await rows).map(({ act, actor, details }) => ({ act, actor, details }))
  }

  return { newAddress, create, invite, lookUp, accept, inDays, accountsAt, rowOf, trailOf }
}
