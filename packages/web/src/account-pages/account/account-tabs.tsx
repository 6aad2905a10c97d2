'use client'

import { usePathname } from 'next/navigation.js'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { isUnder } from '../ui/is-under.ts'
import { LinkTabs } from '../ui/link-tabs.tsx'

export function AccountTabs() {
  const say = useSay()
  const paths = usePaths()
  const path = usePathname()
  const tabs = [
    { href: paths.profile, label: say('Profile') },
    { href: paths.devices, label: say('Devices') },
    { href: paths.agents, label: say('Agents') },
    { href: paths.security, label: say('Security') },
  ]
  // What belongs to security has pages of its own.
  const current = isUnder(path, paths.security) ? paths.security : path
  return <LinkTabs label={say('Account')} tabs={tabs} current={current} />
}
