import type { ReactNode } from 'react'
import { StepUp } from '../account-pages/account-pages.ts'
import { getSession } from '../guards/guards.ts'
import type { ConsolePart } from './console-part.ts'
import { type ConsolePaths, consolePaths } from './console-paths.ts'
import { ConsolePlacesProvider } from './console-places.tsx'
import { type ConsoleTab, ConsoleTabs } from './console-tabs.tsx'

/** The pages of the console that you have moved or left out, and your own beside them. */
export interface ConsoleLayoutProps {
  children: ReactNode
  /** Where you have put a page elsewhere than the starter does; null where you leave it out. */
  paths?: { readonly [page in keyof ConsolePaths]?: string | null }
  /** Pages of your own, after ours. */
  tabs?: readonly ConsoleTab[]
  /** The `parts` of the `Console`. */
  parts?: readonly ConsolePart[]
  /** Where these parts are. `/admin` unless set. */
  path?: string
}

/** What each part asks for. */
const permissions: Record<keyof ConsolePaths, string> = {
  people: 'user:read',
  invitations: 'user:read',
  audit: 'audit:read',
  streams: 'stream:read',
  jobs: 'job:read',
  programs: 'user:read',
  limits: 'server:read',
  server: 'server:read',
  roles: 'rbac:role:manage',
}

/** Around the pages of the console: the way to each that this user may see. Each page guards itself. */
export async function ConsoleLayout({
  children,
  paths = {},
  tabs = [],
  parts: further = [],
  path = '/admin',
}: ConsoleLayoutProps) {
  const session = await getSession().catch(() => null)
  const all = { ...consolePaths, ...paths }
  const maySee = (permission: string) => session?.permissions.includes(permission) ?? false
  const parts = (Object.keys(permissions) as (keyof ConsolePaths)[]).flatMap((part) => {
    const href = all[part]
    return maySee(permissions[part]) && href ? [{ part, href }] : []
  })
  const furtherTabs = further
    .filter(({ needs }) => maySee(needs))
    .map(({ name, title, label = title }) => ({ href: `${path}/${name}`, label }))
  return (
    <StepUp>
      <div className="svc-page">
        <ConsoleTabs parts={parts} tabs={[...furtherTabs, ...tabs]} />
        <ConsolePlacesProvider places={all}>{children}</ConsolePlacesProvider>
      </div>
    </StepUp>
  )
}
