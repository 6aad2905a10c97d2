import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/server.ts'

/** An export of another system, and how it is to be taken. */
export interface UserImport {
  readonly database: Database
  readonly clock: Clock
  readonly text: AsyncIterable<string>
  readonly container: 'csv' | 'jsonl' | 'json'
  /** The system that has written it, by a name of the package's. */
  readonly from: string
  /** Everything is done, and taken back. */
  readonly dryRun: boolean
  /** What else was said, by the flag's name. */
  readonly options: Readonly<Record<string, string | true | undefined>>
}

/** What became of a row of an export. A package may say more of it: that is for a report, and not for a terminal. */
export interface ImportedLine {
  readonly line: number
  readonly outcome: 'created' | 'exists' | 'refused'
  /** A word, such as `email_invalid`. */
  readonly reason?: string
  /** What did not come along, by the name of the member or of the provider. */
  readonly left?: readonly string[]
}
