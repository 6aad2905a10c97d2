import type { Lifecycle, UserImport } from '@svc/core'
import { recordAudit } from '../audit/audit.ts'
import type { AuditEntry } from '../caller/caller.ts'
import type { Capability, CapabilityImport, ExportReaders } from '../capability/capability.ts'
import { displayText } from '../display-text.ts'
import { isObject } from '../is-object.ts'
import { csvRecords } from './csv.ts'
import { importedUserId } from './find-place.ts'
import { jsonlRecords, jsonRecords } from './json.ts'
import { fieldsOf, idOf, listOf, momentOf, objectOf, textOf } from './records.ts'

const readers: ExportReaders = {
  fields(value) {
    const object = objectOf(value)
    return object && fieldsOf(object)
  },
  list: listOf,
  text: textOf,
  line: (value, most) => displayText(textOf(value), most) ?? undefined,
  id: idOf,
  moment: momentOf,
}

/** What the capabilities import, by name. Commands run it, so no server is needed. */
export function importersOf(
  capabilities: readonly Pick<Capability, 'parts'>[],
): NonNullable<Lifecycle['imports']> {
  const all = capabilities.flatMap(({ parts }) => Object.entries(parts.imports ?? {}))
  return Object.fromEntries(
    all.map(([name, run]) => [name, (given: UserImport) => run(forCapability(given))]),
  )
}

function forCapability({ database, clock, from, dryRun, options, ...file }: UserImport) {
  return {
    db: database.db,
    clock,
    from,
    dryRun,
    options,
    readers,
    records: (recordsOf) => readRecords(file, recordsOf),
    importedId: importedUserId,
    audit: (db, act, entry) =>
      // An act that the capability declares.
      recordAudit(db, { ...entry, act: act as AuditEntry['act'] }),
  } satisfies CapabilityImport
}

type RecordsOf = Parameters<CapabilityImport['records']>[0]

async function* readRecords(
  { container, text }: Pick<UserImport, 'container' | 'text'>,
  recordsOf: RecordsOf,
) {
  const records = {
    csv: () => csvRecords(text),
    jsonl: () => jsonlRecords(text),
    json: () =>
      jsonRecords(text, (document) =>
        recordsOf(document).map((each) => (isObject(each) ? each : 'unreadable')),
      ),
  }
  for await (const { line, record } of records[container]()) {
    yield { line, fields: typeof record === 'string' ? null : fieldsOf(record) }
  }
}
