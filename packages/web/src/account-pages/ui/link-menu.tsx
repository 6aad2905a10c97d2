'use client'

import { usePathname } from 'next/navigation.js'
import { type ReactNode, useId, useRef } from 'react'
import { Link } from './button.tsx'
import { isUnder } from './is-under.ts'

/** What is on the button, and where the menu leads. */
export interface LinkMenuProps {
  /** What the button is called, where what it shows does not say it. */
  label?: string
  button: ReactNode
  /** `round` has place for one letter. */
  look?: 'round' | 'plain'
  /** Above the links. */
  children?: ReactNode
  /** While the page is in the `part` of a link, the button shows its label too. */
  links: readonly { href: string; label: ReactNode; part?: string }[]
  /** Beneath them. */
  end?: ReactNode
}

/** Links behind one button. It opens without scripts, and closes with Escape. */
export function LinkMenu({ label, button, look = 'plain', children, links, end }: LinkMenuProps) {
  const id = useId()
  const path = usePathname()
  const menu = useRef<HTMLDivElement>(null)
  const current = links.find(({ part }) => part !== undefined && isUnder(path, part))
  return (
    <div className="svc-menu-box">
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        className={look === 'round' ? 'svc-avatar' : 'svc-menu-button'}
      >
        <span className={current && 'svc-hidden'}>
          {button}
          {current && ': '}
        </span>
        {current && <span className="svc-menu-button-text">{current.label}</span>}
      </button>
      <div ref={menu} id={id} popover="auto" className="svc-page svc-menu">
        {children && <p className="svc-menu-name">{children}</p>}
        <ul>
          {links.map((link) => (
            <li key={link.href}>
              <Link
                href={link.href}
                aria-current={link === current ? 'page' : undefined}
                className="svc-menu-link"
                onClick={() => menu.current?.hidePopover()}
              >
                {link.label}
              </Link>
            </li>
          ))}
        </ul>
        {end && <div className="svc-menu-end">{end}</div>}
      </div>
    </div>
  )
}
