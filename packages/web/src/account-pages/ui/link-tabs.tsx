import { Link } from './button.tsx'

interface Tab {
  href: string
  label: string
}

interface Props {
  /** What the tabs lead through, for those who do not see where they are. */
  label: string
  tabs: Tab[]
  /** The address of the tab that is on show. */
  current: string
}

/** A row of addresses of which one is on show. */
export function LinkTabs({ label, tabs, current }: Props) {
  return (
    <nav aria-label={label} className="svc-tabs">
      <ul className="svc-tabs-list">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              aria-current={tab.href === current ? 'page' : undefined}
              className="svc-tab"
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Whether a page belongs to a part of the site. Every path is under `/`, which is one page alone. */
export function isUnder(path: string, part: string) {
  return path === part || (part !== '/' && path.startsWith(`${part}/`))
}
