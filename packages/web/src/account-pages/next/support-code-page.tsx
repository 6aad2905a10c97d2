import { notFound } from 'next/navigation.js'
import { requireSession } from '../../guards/guards.ts'
import { accountPaths } from '../provider/account-paths.ts'
import { SupportCodeView } from '../support/support-code.tsx'
import { type AccountPageProps, guarded } from './page-props.ts'

/** The code with which the user lets support use the account. There is no such page where support needs none. */
export async function SupportCodePage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.supportCode)
  const { supportConsent } = await requireSession(guard)
  return supportConsent === 'code' ? <SupportCodeView {...slots} /> : notFound()
}
