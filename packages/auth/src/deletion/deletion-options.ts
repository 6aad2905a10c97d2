import { EnvironmentError } from '@svc/core'

export interface DeletionOptions {
  /** How many days an account can be restored, 3 to 365. Thirty unless set. */
  graceDays?: number
  /** What becomes of it then. `anonymise` keeps a row without anything personal; `delete` keeps none. */
  purge?: 'anonymise' | 'delete'
}

// Whoever stole an account may have asked: its owner has 72 hours to take a changed address back.
const fewestDays = 3

export type Deletion = Readonly<Required<DeletionOptions>>

/** What the capability opens. */
export interface WithDeletion {
  readonly deletion: Deletion
}

/** Resolved once, as the server starts. */
export function readDeletion(options: DeletionOptions = {}): Deletion {
  const settings: Deletion = { graceDays: 30, purge: 'anonymise', ...options }
  const { graceDays, purge } = settings
  const problems: string[] = []
  if (!(Number.isSafeInteger(graceDays) && graceDays >= fewestDays && graceDays <= 365)) {
    problems.push(problem('graceDays', 'a whole number from 3 to 365'))
  }
  if (!['anonymise', 'delete'].includes(purge)) {
    problems.push(problem('purge', "'anonymise' or 'delete'"))
  }
  if (problems.length > 0) throw new EnvironmentError(problems)
  return settings
}

const problem = (name: string, right: string) =>
  `createAuthLifecycle({ deletion: { ${name} } }) must be ${right}`
