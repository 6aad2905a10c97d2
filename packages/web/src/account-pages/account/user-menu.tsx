'use client'

import type { ReactNode } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { SignOutButton } from '../sign-in/sign-out-button.tsx'
import { LinkMenu } from '../ui/link-menu.tsx'

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
  return (
    <LinkMenu
      label={say('Your account: {name}', { name })}
      button={String.fromCodePoint(name.codePointAt(0) ?? 63).toLocaleUpperCase(say.locale)}
      look="round"
      links={links}
      end={<SignOutButton />}
    >
      <bdi className="svc-strong svc-break">{name}</bdi>
      {about && (
        <span className="svc-note">{typeof about === 'string' ? say.fromApi(about) : about}</span>
      )}
    </LinkMenu>
  )
}
