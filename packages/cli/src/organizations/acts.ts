import type { FlagName } from '../flags.ts'

/** What an operator does to one organization. */
export interface Act {
  operation: string
  summary: string
  about: string
  /** All of them are needed. */
  flags: readonly ('reason' | 'user')[] & readonly FlagName[]
  /** What has become of it, in a sentence about the organization of this name. */
  done: (name: string, told: { purgeAt?: string; user?: string }) => string
}

/** By the word after `svc organizations`. */
export const acts: Record<string, Act> = {
  close: {
    operation: 'closeAnyOrganization',
    summary: 'Close an organization, which no owner can open again',
    about: 'It needs a reason.',
    flags: ['reason'],
    done: (name, { purgeAt }) =>
      `${name} is closed, and will be deleted at ${purgeAt}. "svc organizations reopen" stops that.`,
  },
  reopen: {
    operation: 'reopenAnyOrganization',
    summary: 'Open a closed organization again, until it is deleted',
    about: 'It needs a reason.',
    flags: ['reason'],
    done: (name) => `${name} is open again, with the members that it had.`,
  },
  'add-owner': {
    operation: 'addAnyOrganizationOwner',
    summary: 'Make a member an owner too, if no owner can be reached',
    about: 'The --user is a user id or a whole address of a member, and not yours.',
    flags: ['user', 'reason'],
    done: (name, { user }) => `${user} is an owner of ${name} now.`,
  },
  'clear-policies': {
    operation: 'clearAnyOrganizationPolicies',
    summary: 'End all policies of one, if no owner can meet them',
    about: 'It needs a reason.',
    flags: ['reason'],
    done: (name) => `${name} asks nothing of its members now, beyond their roles.`,
  },
}
