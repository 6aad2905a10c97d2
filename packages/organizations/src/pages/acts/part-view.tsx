'use client'

import { AccountPage, Skeleton } from '@svc/web/account'
import { type ReactNode, Suspense } from 'react'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

const words = {
  organizations: {
    title: 'Organizations',
    about: 'What you share with the members of an organization stays in it.',
    loading: 'Loading your organizations…',
  },
  members: {
    title: 'Members',
    about: 'Members may do what any of their roles allows, from the next request on.',
    loading: 'Loading the members…',
  },
  teams: {
    title: 'Teams',
    about: 'The members of a team have its roles in the whole organization.',
    loading: 'Loading the teams…',
  },
  invitations: {
    title: 'Invitations',
    about: 'We email a link. With it, the person becomes a member with the roles that you choose.',
    loading: 'Loading the invitations…',
  },
  domains: {
    title: 'Domains',
    about:
      'People whose address is at a domain of the organization may join without an invitation.',
    loading: 'Loading the domains…',
  },
  roles: {
    title: 'Roles',
    about: 'A role is a set of permissions in this organization.',
    loading: 'Loading the roles…',
  },
  machines: {
    title: 'Machines',
    about: 'Programs that work for the organization: your own with a key, and agents of others.',
    loading: 'Loading the machines…',
  },
  audit: {
    title: 'Audit',
    about: 'Who did what in this organization, the newest first.',
    loading: 'Loading the trail…',
  },
  settings: {
    title: 'Settings',
    about: 'The organization, what it asks of its members, and how you leave or close it.',
    loading: 'Loading the settings…',
  },
} as const

export type Part = keyof typeof words

interface PartViewProps {
  part: Part
  /** Of a page about one of them. */
  name?: string
  children: ReactNode
}

/** A page of organizations. Its title is there before its content is. */
export function PartView({ part, name, children }: PartViewProps) {
  const say = useOrganizationSay()
  const { title, about, loading } = words[part]
  return (
    <AccountPage title={name ?? say(title)} about={say(about)}>
      <Suspense fallback={<Skeleton label={say(loading)} />}>{children}</Suspense>
    </AccountPage>
  )
}
