import { KeepFactorView } from '../second-factor/keep-factor.tsx'
import type { EntranceProps } from './page-props.ts'

/** A mailed link leads here, and asks for no sign-in. */
export async function KeepFactorPage({ searchParams, ...slots }: EntranceProps<'token'>) {
  return <KeepFactorView {...slots} hasToken={Boolean((await searchParams).token)} />
}
