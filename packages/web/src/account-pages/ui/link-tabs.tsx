'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from './button.tsx'

interface Tab {
  href: string
  label: ReactNode
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
  const list = useShownTab(current)
  return (
    <nav aria-label={label} className="svc-tabs">
      <ul ref={list} className="svc-tabs-list">
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

/** Moves the selected tab into sight, and tells the style sheet on which sides there are more. */
function useShownTab(current: string) {
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be out of sight
  useEffect(() => {
    const row = list.current
    const tab = row?.querySelector('[aria-current]')
    if (!row || !tab) return
    // `scrollIntoView` would move the page too.
    const [of, around] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
    row.scrollLeft += (of.left + of.right - around.left - around.right) / 2
  }, [current])

  useEffect(() => {
    const row = list.current
    const tell = () => {
      if (!row) return
      const after = row.scrollWidth - row.clientWidth - row.scrollLeft
      row.dataset['more'] = `${row.scrollLeft > 1 ? 'left' : ''} ${after > 1 ? 'right' : ''}`.trim()
    }
    const watch = new ResizeObserver(tell)
    if (row) watch.observe(row)
    row?.addEventListener('scroll', tell, { passive: true })
    return () => {
      watch.disconnect()
      row?.removeEventListener('scroll', tell)
    }
  }, [])
  return list
}
