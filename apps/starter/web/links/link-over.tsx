import type { ReactNode } from 'react'

interface Props {
  /** There was a link, which is good no more. */
  hadLink: boolean
  /** Where another one can be asked for. */
  children: ReactNode
}

/** Says that there is no link that is good, with the way on beneath. */
export function LinkOver({ hadLink, children }: Props) {
  return (
    <div className="grid gap-5">
      <div>
        <h2 tabIndex={-1} className="font-medium text-lg outline-none">
          {hadLink ? 'This link does not work any more' : 'There is no link here'}
        </h2>
        <p className="mt-2 text-sm leading-relaxed">
          {hadLink
            ? 'It was used, has expired, or a newer one was sent. Ask for another:'
            : 'Open the one in your mail, or ask for another:'}
        </p>
      </div>
      {children}
    </div>
  )
}
