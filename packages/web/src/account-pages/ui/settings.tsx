'use client'

import { type ReactNode, useId } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { ButtonLink } from './button.tsx'

interface SettingsProps {
  title: string
  /** Each is a `Setting`. */
  children: ReactNode
}

/** Settings that belong together, a row for each. */
export function Settings({ title, children }: SettingsProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="svc-title svc-below-3">
        {title}
      </h2>
      <ul className="svc-sheet svc-settings">{children}</ul>
    </section>
  )
}

interface SettingProps {
  title: string
  /** How it is now, in a few words. Null until that is known: its line is already there. */
  state?: ReactNode
  /** What it is for, or what the action does. */
  about?: ReactNode
  /** The page where it is changed, if that is another one. */
  href?: string
  /** What changes it here: one button or link. */
  action?: ReactNode
  /** Beneath the row, such as a form or the result of the last action. */
  children?: ReactNode
}

/** One setting: its name, how it is now, and one action. */
export function Setting({ title, state, about, href, action, children }: SettingProps) {
  const say = useSay()
  return (
    <li className="svc-setting">
      <div className="svc-entry svc-entry-middle">
        <div className="svc-entry-text svc-entry-text-wide">
          <h3 className="svc-strong">{title}</h3>
          {state !== undefined && <div className="svc-small">{state ?? <Unknown />}</div>}
          {about && <p className="svc-note svc-prose">{about}</p>}
        </div>
        {href && (
          <ButtonLink href={href}>
            {say('Manage')}
            <span className="svc-hidden">: {title}</span>
          </ButtonLink>
        )}
        {action}
      </div>
      {children && <div className="svc-outcome-box">{children}</div>}
    </li>
  )
}

function Unknown() {
  const say = useSay()
  return (
    <span className="svc-bar-line">
      <span className="svc-hidden">{say('Loading…')}</span>
      <span className="svc-bar" />
    </span>
  )
}
