import { Link } from './button.tsx'

interface Tab {
  href: string
  label: string
}

interface Props {
  /** The name of the tabs, for screen readers. */
  label: string
  tabs: Tab[]
  /** The address of the selected tab. */
  current: string
}

/** A row of links, one of which is selected. */
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

/**
 * Whether a page belongs to a part of the site. Every path starts with `/`, which is the home page
 * only.
 */
export function isUnder(path: string, part: string) {
  return path === part || (part !== '/' && path.startsWith(`${part}/`))
}
