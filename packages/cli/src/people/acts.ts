import type { CallInput } from '@svc/core/client'
import type { FlagName, Flags } from '../flags.ts'

/** What an operator does to one user. */
export interface Act {
  operation: string
  summary: string
  needs: string
  flags: readonly FlagName[]
  /** What is sent beside the user. */
  input: (flags: Flags) => CallInput
  /** What has become of it, in a sentence about the user of this name. */
  done: (name: string, answer: Record<string, unknown>) => string
}

const withReason = ({ reason }: Flags): CallInput => ({ body: { ...(reason && { reason }) } })
const mayWrite = 'You need the permission user:write.'
const mayDelete = 'You need the permission user:delete.'
const isSuperadmin = 'You need to be a superadmin.'

/** By the word after `svc users`. */
export const acts: Record<string, Act> = {
  suspend: {
    operation: 'suspendUser',
    summary: 'Sign a user out everywhere, and refuse new sign-ins',
    needs: mayWrite,
    flags: ['reason'],
    input: withReason,
    done: (name) => `${name} is suspended, and signed out everywhere.`,
  },
  reactivate: {
    operation: 'reactivateUser',
    summary: 'Let a suspended user sign in again',
    needs: mayWrite,
    flags: ['reason'],
    input: withReason,
    done: (name) => `${name} can sign in again. Devices stay signed out.`,
  },
  'sign-out': {
    operation: 'signUserOut',
    summary: 'Sign a user out of all devices, or of one',
    needs: mayWrite,
    flags: ['device', 'reason'],
    input: ({ device, reason }) => ({
      body: { ...(device && { keyId: device }), ...(reason && { reason }) },
    }),
    done: (name, { revokedCount }) =>
      `${name} is signed out. Keys that have ended: ${String(revokedCount)}.`,
  },
  'require-password': {
    operation: 'requireNewPassword',
    summary: 'Make a user choose another password',
    needs: mayWrite,
    flags: ['reason'],
    input: withReason,
    done: (name) => `${name} must choose another password.`,
  },
  close: {
    operation: 'closeUser',
    summary: 'Close an account: it is deleted when its grace period is over',
    needs: mayDelete,
    flags: ['reason'],
    input: withReason,
    done: (name, { purgeScheduledAt }) =>
      `${name} is closed, and will be deleted at ${String(purgeScheduledAt)}. "svc users restore" stops that.`,
  },
  restore: {
    operation: 'restoreUser',
    summary: 'Restore an account whose deletion is pending',
    needs: mayDelete,
    flags: ['reason'],
    input: withReason,
    done: (name) => `${name} is restored, and can sign in again.`,
  },
  'add-role': {
    operation: 'addUserRole',
    summary: 'Give a user one more role',
    needs: isSuperadmin,
    flags: ['role'],
    input: ({ role }) => ({ body: { role } }),
    done: (name, { roles }) => `${name} has these roles now: ${listed(roles)}.`,
  },
  'remove-role': {
    operation: 'removeUserRole',
    summary: 'Take one role from a user',
    needs: isSuperadmin,
    flags: ['role'],
    input: ({ role }) => ({ params: { role } }),
    done: (name, { roles }) => `${name} has these roles now: ${listed(roles)}.`,
  },
}

function listed(roles: unknown) {
  return Array.isArray(roles) ? roles.join(', ') : ''
}
