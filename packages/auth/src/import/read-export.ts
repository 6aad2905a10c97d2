import { csvRecords } from './csv.ts'
import type { Format, FormatContext } from './formats/format.ts'
import type { ImportRow } from './imported-user.ts'
import { jsonRecords } from './json.ts'
import { jsonlRecords } from './jsonl.ts'
import { type ReadingRules, readUser } from './read-user.ts'
import { fieldsOf } from './records.ts'

const containers = { csv: csvRecords, jsonl: jsonlRecords, json: jsonRecords }

interface Reading extends FormatContext {
  container: keyof typeof containers
  format: Format
  rules: ReadingRules
}

/** Whom an export names, row by row. What it has of a person is looked at before anything is asked of a database. */
export async function* readExport(
  text: AsyncIterable<string>,
  { container, format, rules, ...context }: Reading,
): AsyncGenerator<ImportRow> {
  for await (const { line, record } of containers[container](text)) {
    const given = typeof record === 'string' ? record : format(fieldsOf(record), context)
    yield { line, user: typeof given === 'string' ? given : readUser(given, rules) }
  }
}
