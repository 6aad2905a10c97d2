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
  return hadLink ? 'This link does not work any more' : 'There is no link here'
}

function reasonOf(hadLink: boolean) {
  return hadLink
    ? 'It was used, has expired, or a newer one was sent. Ask for another:'
    : 'Open the one in your mail, or ask for another:'
}

/** Anyone can ask for a link to an address, and only the newest one works. */
function Superseded({ email }: { email: string }) {
  return (
    <>
      A newer link was sent to <strong className="font-medium break-words">{email}</strong>, or the
      time to set a password here is over. Open the newest mail, or ask for another:
    </>
  )
}
