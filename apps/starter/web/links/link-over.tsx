import type { ReactNode } from 'react'

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
  return (
    <div className="grid gap-5">
      <div>
        <h2 tabIndex={-1} className="font-medium text-lg outline-none">
          {titleOf({ hadLink, email })}
        </h2>
        <p className="mt-2 text-sm leading-relaxed">
          {email === undefined ? reasonOf(hadLink) : <Superseded email={email} />}
        </p>
      </div>
      {children}
    </div>
  )
}

function titleOf({ hadLink, email }: Pick<Props, 'hadLink' | 'email'>) {
  if (email !== undefined) return 'Open the newest mail'
  return hadLink ? 'This link no longer works' : 'This page needs a link'
}

function reasonOf(hadLink: boolean) {
  return hadLink
    ? 'It was used or has expired, or we sent a newer one. Request another link:'
    : 'Open the link in your mail, or request another one:'
}

/** Anyone can ask for a link to an address, and only the newest one works. */
function Superseded({ email }: { email: string }) {
  return (
    <>
      We sent a newer link to <strong className="font-medium break-words">{email}</strong>, or your
      time to set a password has run out. Open the newest mail, or request another link:
    </>
  )
}
