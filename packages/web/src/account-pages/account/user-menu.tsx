'use client'

import { type ReactNode, useId, useRef } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { SignOutButton } from '../sign-in/sign-out-button.tsx'
import { Link } from '../ui/button.tsx'

/** Whose menu it is, and where it leads. */
export interface UserMenuProps {
  /** By what the user recognises the account: an email, a number or a name. */
  name: string
  /** Beneath it, such as the role. A text of the API is shown in the words of the pages. */
  about?: ReactNode
  /** Where the menu leads. Signing out comes after them. */
  links: readonly { href: string; label: string }[]
}

/** The account of the signed-in user behind one button. It opens without scripts, and closes with Escape. */
export function UserMenu({ name, about, links }: UserMenuProps) {
  const say = useSay()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  return (
    <div className="svc-menu-box">
      <button
        type="button"
        popoverTarget={id}
        aria-label={say('Your account: {name}', { name })}
        className="svc-avatar"
      >
        {String.fromCodePoint(name.codePointAt(0) ?? 63).toLocaleUpperCase(say.locale)}
      </button>
      <div ref={menu} id={id} popover="auto" className="svc-page svc-menu">
        <p className="svc-menu-name">
          <bdi className="svc-strong svc-break">{name}</bdi>
          {about && (
            <span className="svc-note">
              {typeof about === 'string' ? say.fromApi(about) : about}
            </span>
          )}
        </p>
        <ul>
          {links.map(({ href, label }) => (
            <li key={href}>
              <Link
                href={href}
                className="svc-menu-link"
                onClick={() => menu.current?.hidePopover()}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
        <p className="svc-menu-end">
          <SignOutButton />
        </p>
      </div>
    </div>
  )
}
