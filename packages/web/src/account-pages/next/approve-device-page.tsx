import { requireSession } from '../../guards/guards.ts'
import { ApproveDeviceView } from '../device/approve-device.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import type { EntranceSlots } from '../ui/page-slots.ts'
import type { AccountPageProps, EntranceProps } from './page-props.ts'
import { accountName } from './server-account.ts'

type Props = EntranceProps<'code'> & EntranceSlots & Pick<AccountPageProps, 'path' | 'loginPath'>

/** Lets another device sign in. A code in the address is filled in for the user, and only the user sends it. */
export async function ApproveDevicePage({ searchParams, path, loginPath, ...slots }: Props) {
  const given = (await searchParams).code
  const code = typeof given === 'string' ? given.slice(0, 32) : ''
  const page = path ?? accountPaths.approveDevice
  const returnTo = code ? `${page}?${new URLSearchParams({ code })}` : page
  const session = await requireSession({ returnTo, ...(loginPath && { loginPath }) })
  return <ApproveDeviceView {...slots} code={code} signedInAs={accountName(session)} />
}
