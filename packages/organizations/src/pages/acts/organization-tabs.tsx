'use client'

import { LinkTabs } from '@svc/web/account'
import { usePathname } from 'next/navigation.js'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import type { Part } from './part-view.tsx'

/** A page of your own about an organization, such as its board. */
export interface OrganizationTab {
  /** The last part of its address: `board` for `/orgs/acme/board`. */
  page: string
  label: string
}

/** A page of ours about one organization. */
export type OrganizationPart = Exclude<Part, 'organizations'>

interface OrganizationTabsProps {
  name: string
  slug: string
  /** The parts that the user may see. */
  parts: readonly OrganizationPart[]
  tabs: readonly OrganizationTab[]
}

const words = {
  members: 'Members',
  teams: 'Teams',
  invitations: 'Invitations',
  domains: 'Domains',
  roles: 'Roles',
  machines: 'Machines',
  audit: 'Audit',
  settings: 'Settings',
} as const

/** The pages of an organization, of which one is on show. Yours come first. */
export function OrganizationTabs({ name, slug, parts, tabs }: OrganizationTabsProps) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const path = usePathname()
  const own = parts.map((page) => ({ page, label: say(words[page]) }))
  const all = [...tabs, ...own].map(({ page, label }) => ({ href: pageOf(slug, page), label }))
  const current = all.find(({ href }) => path === href || path.startsWith(`${href}/`))
  return (
    <LinkTabs
      label={say('Organization: {name}', { name })}
      tabs={all}
      current={current?.href ?? path}
    />
  )
}
