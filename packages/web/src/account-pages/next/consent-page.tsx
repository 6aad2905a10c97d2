import { redirect } from 'next/navigation.js'
import { readConsent } from '../../consent/consent.ts'
import { ConsentView } from '../consent/consent.tsx'
import { SignInFirst } from '../consent/sign-in-first.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import type { AccountPageProps } from './page-props.ts'

/** The page's query, which says what the agent asks for, and your slots. */
export interface ConsentPageProps
  extends EntranceSlots,
    Pick<AccountPageProps, 'path' | 'loginPath'> {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Lets an agent use the account. The API's SVC_AUTH_OAUTH2_CONSENT_PATH leads here. */
export async function ConsentPage({
  searchParams,
  path = '/oauth2/consent',
  loginPath = '/login',
  ...slots
}: ConsentPageProps) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) => {
    // Of a repeated name, the first value: a second reader must not find another one.
    const first = Array.isArray(value) ? value[0] : value
    return first === undefined ? [] : [[name, first]]
  })
  const consent = await readConsent(new URLSearchParams(given), { path, loginPath })
  if (consent.state === 'back') redirect(consent.path)
  if (consent.state === 'to sign in') return <SignInFirst {...consent} />
  return <ConsentView {...slots} consent={consent} />
}
