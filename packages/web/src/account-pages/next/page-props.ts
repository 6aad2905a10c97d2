import type { EntranceSlots, PageSlots } from '../ui/page-slots.ts'

type Query<Name extends string> = Promise<{ [name in Name]?: string | string[] }>

/** What Next gives a page whose query has these names, and your slots. */
export interface EntranceProps<Name extends string> extends EntranceSlots {
  searchParams: Query<Name>
}

/** A page of a user who is signed in. */
export interface AccountPageProps extends PageSlots {
  /**
   * Where the page is, if not where the starter has it. Users come back to it after they sign in.
   */
  path?: string
  /** Where users sign in. `/login` unless set. */
  loginPath?: string
}

/** The guard's part of the properties, and the slots. */
export function guarded(given: AccountPageProps, starterPath: string) {
  const { path = starterPath, loginPath = '/login', header, after } = given
  return { guard: { returnTo: path, loginPath }, slots: { header, after } }
}
