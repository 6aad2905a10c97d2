import type { AccountLabel } from '@svc/auth'
import { TextLink, useSay } from '../account-pages/account-pages.ts'
import { consolePaths } from './console-paths.ts'

interface Props {
  id: string
  /** Not known to an operator who may not read users. */
  account: AccountLabel | undefined
}

/** An account that a row names by its id. Its name leads to its page. */
export function PersonLabel({ id, account }: Props) {
  const say = useSay()
  if (!account) return <code className="svc-break">{id}</code>
  if (account.isDeleted) {
    return (
      <>
        {say('Deleted account')} <code className="svc-faded svc-break">{id}</code>
      </>
    )
  }
  return (
    <>
      <TextLink isAlone href={`${consolePaths.people}/${id}`}>
        <bdi className="svc-break">{account.name ?? id}</bdi>
      </TextLink>
      {account.displayName && <bdi className="svc-faded"> {account.displayName}</bdi>}
    </>
  )
}
