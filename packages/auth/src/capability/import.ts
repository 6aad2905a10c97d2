import type { Clock, Db, ImportedLine } from '@svc/core'
import type { AuditEntry } from '../caller/caller.ts'

/**
 * A field of a record by its names, each in every spelling that systems use: `createdAt`, `created_at` and
 * `Created At` are one.
 */
export type ExportedFields = (...names: string[]) => unknown

/** Reads the values of an export, as `svc users import` does. */
export interface ExportReaders {
  /** The fields of an object, or of one that is JSON text in a cell. Null for anything else. */
  fields(value: unknown): ExportedFields | null
  /** The objects of a list, or of one that is JSON text in a cell. */
  list(value: unknown): object[]
  text(value: unknown): string | undefined
  /** Text for people, made harmless and cut to that length. */
  line(value: unknown, most: number): string | undefined
  /** The id of another system. Null if it could be confused with another. */
  id(value: unknown): string | null | undefined
  moment(value: unknown): Date | undefined
}

/** An export of another system that a capability imports, without a running server. */
export interface CapabilityImport {
  readonly db: Db
  readonly clock: Clock
  /** The system, as the command was given it. */
  readonly from: string
  /** Everything is done, and then undone. */
  readonly dryRun: boolean
  /** The other flags, by their names. */
  readonly options: Readonly<Record<string, string | true | undefined>>
  /**
   * The records of the file, each with its line. They have no fields if they can't be read. A document of JSON becomes
   * the records that `recordsOf` finds in it, and their lines are their numbers.
   */
  readonly records: (
    recordsOf: (document: unknown) => readonly unknown[],
  ) => AsyncIterable<{ readonly line: number; readonly fields: ExportedFields | null }>
  readonly readers: ExportReaders
  /**
   * A UUID for an id of another system, which is the same in every run. `importedId('better-auth', id)` is the account
   * that `svc users import --from better-auth` has made of this user. Name other things differently.
   */
  readonly importedId: (of: string, externalId: string) => string
  /** Writes an entry of the audit trail. */
  readonly audit: (db: Db, act: string, entry: Omit<AuditEntry, 'act'>) => Promise<void>
}

/** Imports an export, and yields what has become of each record. */
export type CapabilityImporter = (given: CapabilityImport) => AsyncIterable<ImportedLine>
