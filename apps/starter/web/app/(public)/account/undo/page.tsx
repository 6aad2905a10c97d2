import type { Metadata } from 'next'

export { UndoChangePage as default } from '@svc/web/account/next'
export const metadata: Metadata = { title: 'Undo a change' }
