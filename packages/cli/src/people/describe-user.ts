import type { User } from '../find-user.ts'
import { aligned } from '../terminal.ts'

interface Device {
  keyId: string
  deviceName?: string
  platform?: string
  kind?: string
  lastUsedAtMillis?: number
}

interface Details extends User {
  hasPassword: boolean
  mustChangePassword: boolean
  factors: string[]
  passkeys: unknown[]
  linkedAccounts: { provider: string }[]
  devices: Device[]
  machines: Device[]
  grants: { clientName: string }[]
  waiting: { kind: string; expiresAt: string }[]
  createdBy?: Label
  invitedBy?: Label
  suspension?: { at: string; by?: Label; reason?: string }
}

/** Another account, by its address. One that is deleted has its id alone. */
interface Label {
  userId: string
  name?: string
}

const nameOf = ({ userId, name = userId }: Label) => name

/** A user on a screen: what an operator asks first. */
export function describeUser(user: Details) {
  const lines = [
    ['User id', user.userId],
    ['Public id', user.publicId],
    ['Address', user.email ?? 'none'],
    ['Number', user.phone ?? 'none'],
    ['Name', user.displayName ?? 'none'],
    ['Roles', user.roles.join(', ')],
    ['Status', user.status],
    ...suspension(user),
    ['Created', user.createdAt],
    ...(user.createdBy ? [['Created by', nameOf(user.createdBy)]] : []),
    ...(user.invitedBy ? [['Invited by', nameOf(user.invitedBy)]] : []),
    ['Last sign-in', user.lastLoginAt ?? 'never'],
    ['Password', password(user)],
    ['Second factor', user.factors.join(', ') || 'none'],
    ['Passkeys', String(user.passkeys.length)],
    ['Linked accounts', user.linkedAccounts.map(({ provider }) => provider).join(', ') || 'none'],
    ['Agents', user.grants.map(({ clientName }) => clientName).join(', ') || 'none'],
  ]
  return [
    ...aligned(lines).map((row) => row.join('   ')),
    ...section('Devices', user.devices.map(deviceCells)),
    ...section('Programs', user.machines.map(deviceCells)),
    ...section(
      'Waiting',
      user.waiting.map(({ kind, expiresAt }) => [kind, `until ${expiresAt}`]),
    ),
  ].join('\n')
}

function suspension({ suspension: of }: Details) {
  if (!of) return []
  return [
    ['Suspended', of.at],
    ['By', of.by ? nameOf(of.by) : 'the application'],
    ['Reason', of.reason ?? 'none'],
  ]
}

function password({ hasPassword, mustChangePassword }: Details) {
  if (!hasPassword) return 'none'
  return mustChangePassword ? 'must be changed' : 'set'
}

function deviceCells({ keyId, deviceName, platform, lastUsedAtMillis }: Device) {
  const used = lastUsedAtMillis ? new Date(lastUsedAtMillis).toISOString() : 'not yet used'
  return [keyId, deviceName ?? 'no name', platform ?? '', used]
}

function section(title: string, rows: string[][]) {
  if (rows.length === 0) return []
  return ['', `${title}:`, ...aligned(rows).map((row) => `  ${row.join('   ')}`)]
}
