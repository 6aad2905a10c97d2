import type { ReactNode } from 'react'
import type { AddressQuery } from './address-query.ts'

/** A part of the console from another package, or of yours: its tab, its permission and its pages. */
export interface ConsolePart {
  /** Where its pages are, below the console: `organizations`. */
  readonly name: string
  /** Users without this permission see neither its tab nor its pages. */
  readonly needs: string
  /** The title of the browser's window. */
  readonly title: string
  /** What its tab shows, such as an element that says it in several languages. `title` unless set. */
  readonly label?: ReactNode
  /** Its pages. The console asks for the permission before it renders them. */
  readonly page: (given: ConsolePartProps) => ReactNode
  /**
   * What it shows on the page of a user, for operators with its permission. Read in this function what it needs: if it
   * throws, the rest of the page is still shown.
   */
  readonly ofPerson?: (given: ConsolePersonProps) => ReactNode
}

/** What the console gives to the pages of a part. */
export interface ConsolePartProps {
  /** The address of the part, such as `/admin/organizations`. */
  path: string
  /** What the address has after it: `['7c…']` of `/admin/organizations/7c…`. */
  rest: readonly string[]
  searchParams: Promise<AddressQuery>
}

/** Of whom a part shows something on the page of a user. */
export interface ConsolePersonProps {
  userId: string
  /** The address of the part. */
  path: string
}
