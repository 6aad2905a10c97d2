'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '../ui/link-tabs.tsx'

const tabs = [
  { href: '/account', label: 'Profile' },
  { href: '/account/devices', label: 'Devices' },
  { href: '/account/security', label: 'Security' },
]

export function AccountTabs() {
  return <LinkTabs label="Account" tabs={tabs} current={usePathname()} />
}
