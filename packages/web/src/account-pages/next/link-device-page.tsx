import { redirect } from 'next/navigation.js'
import { returnPath } from '../../page/client.ts'
import { LinkDeviceView } from '../device/link-device.tsx'
import type { EntranceProps } from './page-props.ts'
import { knownSession } from './server-account.ts'

/** Shows a code that the user approves on another device. */
export async function LinkDevicePage({ searchParams, ...slots }: EntranceProps<'returnTo'>) {
  const returnTo = returnPath((await searchParams).returnTo)
  if (await knownSession()) redirect(returnTo)
  return <LinkDeviceView {...slots} returnTo={returnTo} />
}
