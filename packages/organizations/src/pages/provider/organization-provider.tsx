'use client'

import { type GivenWords, type Say, useOwnSay } from '@svc/web/account'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { OrganizationSentence, OrganizationWords } from '../words/organization-words.ts'

interface Given extends GivenWords<OrganizationWords> {
  path: string
  home: string
}

const starter: Given = { path: '/orgs', home: 'members' }
const OrganizationContext = createContext(starter)

/** The languages and the addresses of the pages of organizations. All have a default. */
export interface OrganizationProviderProps extends GivenWords<OrganizationWords> {
  children: ReactNode
  /** Where the list of organizations is. The pages of one are below it, by its slug. `/orgs` unless set. */
  path?: string
  /** The page of an organization that the switcher leads to. `members` unless set. */
  home?: string
}

/** Around the pages of organizations, and inside the `AccountProvider`: it says in which language they are. */
export function OrganizationProvider({
  children,
  path = starter.path,
  home = starter.home,
  words,
  languages,
}: OrganizationProviderProps) {
  const given = useMemo(
    () => ({ path, home, ...(words && { words }), ...(languages && { languages }) }),
    [path, home, words, languages],
  )
  return <OrganizationContext value={given}>{children}</OrganizationContext>
}

/** Says the sentences of these pages. A page without any loads no words of them. */
export function useOrganizationSay(): Say<OrganizationSentence> {
  return useOwnSay(useContext(OrganizationContext))
}

/** Where the pages are. */
export function usePlaces() {
  const { path, home } = useContext(OrganizationContext)
  return { list: path, pageOf: (slug: string, page = home) => `${path}/${slug}/${page}` }
}
