import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const folder = new URL('../migrations/', import.meta.url)
// What came before was made when the tables were new.
const since = '0015'

const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name >= since)
const files = await Promise.all(
  names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })),
)

const statementsOf = (sql: string) =>
  sql
    .split('--> statement-breakpoint')
    .map((each) => each.replace(/^--.*$/gm, '').trim())
    .filter((each) => each !== '')

const indexPattern = /^create (?:unique )?index (if not exists )?.*? on ("svc_auth"\."\w+")/is

/** Indexes of tables that were there before: rows can't be written while one is made. */
function indexesOf(sql: string) {
  return statementsOf(sql).flatMap((statement) => {
    const [, condition, table = ''] = indexPattern.exec(statement) ?? []
    const isOld = table !== '' && !sql.includes(`CREATE TABLE ${table}`)
    return isOld ? [{ statement, isConditional: condition !== undefined }] : []
  })
}

describe('a migration', () => {
  it.each(files)(
    '$name makes indexes of older tables apart, and only if they are not there',
    ({ sql }) => {
      const indexes = indexesOf(sql)
      if (indexes.length === 0) return
      expect(statementsOf(sql)).toEqual(indexes.map(({ statement }) => statement))
      // So that they can be made concurrently beforehand.
      expect(indexes.map(({ isConditional }) => isConditional)).not.toContain(false)
    },
  )
})
