import type { ReactNode } from 'react'

/** What an application adds to a page. */
export interface PageSlots {
  /** Under the title. */
  header?: ReactNode
  /** Beneath everything else. */
  after?: ReactNode
}

/** What an application adds to a page for users who are not signed in. */
export interface EntranceSlots extends PageSlots {
  /** In the margin, beneath the notes of the page. */
  notes?: ReactNode
}
