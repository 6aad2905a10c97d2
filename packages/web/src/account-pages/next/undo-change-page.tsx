import { UndoChangeView } from '../contact/undo-change.tsx'
import type { EntranceProps } from './page-props.ts'

/** A mailed link leads here, and asks for no sign-in. */
export async function UndoChangePage({ searchParams, ...slots }: EntranceProps<'token'>) {
  return <UndoChangeView {...slots} hasToken={Boolean((await searchParams).token)} />
}
