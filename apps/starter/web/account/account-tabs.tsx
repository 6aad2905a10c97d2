'use client'

import { usePathname } from 'next/navigation'
import { isUnder } from '../app/is-under.ts'
import { LinkTabs } from '../ui/link-tabs.tsx'

const tabs = [
  { href: '/account', label: 'Profile' },
  { href: '/account/devices', label: 'Devices' },
  { href: '/account/agents', label: 'Agents' },
  { href: '/account/security', label: 'Security' },
]

export function AccountTabs() {
  const path = usePathname()
  // What belongs to security has pages of its own.
  const current = isUnder(path, '/account/security') ? '/account/security' : path
  return <LinkTabs label="Account" tabs={tabs} current={current} />
}
