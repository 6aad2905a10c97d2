import type { ReactNode } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import type { Say } from '../words/say.ts'

interface Props {
  /** There was a link, which is good no more. */
  hadLink: boolean
  /** The address that the page was for, if the link was opened here and has ended since. */
  email?: string | undefined
  /** Where another one can be asked for. */
  children: ReactNode
}

/** Says that there is no link that is good, with the way on beneath. */
export function LinkOver({ hadLink, email, children }: Props) {
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-5">
      <div>
        <h2 tabIndex={-1} className="svc-title">
          {titleOf(say, { hadLink, email })}
        </h2>
        <p className="svc-paragraph svc-above-2">
          {email === undefined ? reasonOf(say, hadLink) : <Superseded email={email} />}
        </p>
      </div>
      {children}
    </div>
  )
}

function titleOf(say: Say, { hadLink, email }: Pick<Props, 'hadLink' | 'email'>) {
  if (email !== undefined) return say('Open the newest mail')
  return hadLink ? say('This link no longer works') : say('This page needs a link')
}

function reasonOf(say: Say, hadLink: boolean) {
  return hadLink
    ? say('It was used or has expired, or we sent a newer one. Request another link:')
    : say('Open the link in your mail, or request another one:')
}

/** Anyone can ask for a link to an address, and only the newest one works. */
function Superseded({ email }: { email: string }) {
  const say = useSay()
  return (
    <>
      {say.nodes(
        'We sent a newer link to {email}, or your time to set a password has run out. Open the newest mail, or request another link:',
        { email: <strong className="svc-strong svc-break">{email}</strong> },
      )}
    </>
  )
}
