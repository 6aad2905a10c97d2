'use client'

import { usePathname } from 'next/navigation.js'
import type { ReactNode } from 'react'
import { isUnder, LinkTabs, useSay } from '../account-pages/account-pages.ts'
import type { ConsolePaths } from './console-paths.ts'

export interface ConsoleTab {
  href: string
  label: string
}

interface Props {
  /** Those that the user may see. */
  parts: readonly { part: keyof ConsolePaths; href: string }[]
  tabs: readonly { href: string; label: ReactNode }[]
}

const words = {
  people: 'People',
  invitations: 'Invitations',
  audit: 'Audit',
  streams: 'Streams',
  jobs: 'Jobs',
  programs: 'Programs',
  limits: 'Limits',
  server: 'Server',
  roles: 'Roles',
} as const satisfies Record<keyof ConsolePaths, string>

/** The parts of the console, of which one is on show. */
export function ConsoleTabs({ parts, tabs }: Props) {
  const say = useSay()
  const path = usePathname()
  const all = [...parts.map(({ part, href }) => ({ href, label: say(words[part]) })), ...tabs]
  if (all.length < 2) return null
  const current = all.find(({ href }) => isUnder(path, href))?.href ?? path
  return <LinkTabs label={say('Administration')} tabs={all} current={current} />
}
