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
  roles: {
    title: 'Roles',
    about: 'A role is a set of permissions in this organization.',
    loading: 'Loading the roles…',
  },
  settings: {
    title: 'Settings',
    about: 'The name of the organization, and how you leave or close it.',
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
