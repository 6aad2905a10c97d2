import Link from 'next/link'

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
    <nav aria-label={label} className="border-line border-b">
      <ul className="-mb-px flex flex-wrap items-end gap-x-5 sm:gap-x-6">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              aria-current={tab.href === current ? 'page' : undefined}
              className="inline-block border-transparent border-b-2 py-2.5 text-faded text-sm hover:border-edge hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
