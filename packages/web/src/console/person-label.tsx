'use client'

import type { AccountLabel } from '@svc/auth'
import { TextLink, useSay } from '../account-pages/account-pages.ts'
import { useConsolePlaces } from './console-places.tsx'

interface Props {
  id: string
  /** Not known to an operator who may not read users. */
  account: AccountLabel | undefined
}

/** An account that a row names by its id. Its name leads to its page. */
export function PersonLabel({ id, account }: Props) {
  const say = useSay()
  const { people } = useConsolePlaces()
  if (!account) return <code className="svc-break">{id}</code>
  if (account.isDeleted) {
    return (
      <>
        {say('Deleted account')} <code className="svc-faded svc-break">{id}</code>
      </>
    )
  }
  const name = <bdi className="svc-break">{account.name ?? id}</bdi>
  return (
    <>
      {people === null ? (
        name
      ) : (
        <TextLink isAlone href={`${people}/${id}`}>
          {name}
        </TextLink>
      )}
      {account.displayName && <bdi className="svc-faded"> {account.displayName}</bdi>}
    </>
  )
}
