import {
  array as arrayOf,
  assert,
  asyncProperty,
  constantFrom,
  json,
  oneof,
  string,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../test-env.ts'
import { csvRecords } from './csv.ts'
import { formats } from './formats/formats.ts'
import { readExport } from './read-export.ts'
import type { GivenRecord } from './records.ts'
import { testExports } from './test-exports.ts'
import { collected, inPieces } from './test-import.ts'

const rules = {
  usernames: {
    SVC_AUTH_RESERVED_USERNAMES: ['admin'],
    SVC_AUTH_USERNAME_MIN_LENGTH: 3,
    SVC_AUTH_USERNAME_MAX_LENGTH: 30,
  },
  emailsVerified: false,
}
const context = { firebase: null, now: new Date('2026-01-01T00:00:00Z') }

describe('comma-separated values', () => {
  const read = (text: string, size = 3) => collected(csvRecords(inPieces(text, size)))
  const cells = (records: GivenRecord[]) => records.map(({ line, record }) => ({ line, ...record }))

  it('have commas, line ends and quotation marks in quoted cells', async () => {
    const text =
      '\uFEFFname,note\r\n"Ada, Countess","She said ""hello""\r\nand left"\r\n\r\nBob,\r\n'
    expect(cells(await read(text))).toEqual([
      { line: 2, name: 'Ada, Countess', note: 'She said "hello"\r\nand left' },
      { line: 5, name: 'Bob', note: '' },
    ])
  })

  it('are refused by the line where columns are missing, or a quotation mark has no other', async () => {
    const text = 'name,note\nAda\nBob,x\nCarol,"no end\nDave,y\n'
    expect(await read(text)).toEqual([
      { line: 2, record: null },
      { line: 3, record: { name: 'Bob', note: 'x' } },
      { line: 4, record: null },
    ])
  })

  it('keep no more of a record than a megabyte', async () => {
    const text = `name\n${'x'.repeat(2_000_000)}\nAda\n`
    expect(await read(text, 65_536)).toEqual([
      { line: 2, record: null },
      { line: 3, record: { name: 'Ada' } },
    ])
  })

  it('have no column that changes what an object is', async () => {
    const [first] = await read('__proto__,constructor\nx,y\n')
    expect(Object.getPrototypeOf(first?.record)).toBe(Object.prototype)
  })
})

describe('any file', () => {
  const systems = constantFrom(...formats.keys())
  const container = constantFrom('csv' as const, 'jsonl' as const)
  const real = constantFrom(...testExports.map(({ text }) => text))
  const broken = oneof(string(), json(), real, constantFrom('"', ',', '\n', '{', '}', '\\', '\0'))
  const texts = arrayOf(broken, { maxLength: 5 })

  it('is read to its end, row by row, without an error', async () => {
    const property = asyncProperty(systems, container, texts, async (from, as, parts) => {
      const format = formats.get(from)
      if (!format) return
      const reading = { container: as, format, rules, ...context }
      const rows = await collected(readExport(inPieces(parts.join(''), 997), reading))
      for (const { line, user } of rows) {
        expect(line).toBeGreaterThan(0)
        if (typeof user === 'object') expect(user.role).toBeTypeOf('string')
      }
    })
    await assert(property, { numRuns: 10 * runs })
  })

  it('is read though parts of a real one are missing, of another kind, or elsewhere', async () => {
    const value = oneof(json(), string(), constantFrom('null', '[]', '{}', '[[]]', '1e999', '""'))
    const property = asyncProperty(real, value, string(), async (text, put, cut) => {
      for (const [from, format] of formats) {
        const at = (cut.length * 137) % text.length
        const changed = text.slice(0, at) + put + text.slice(at + cut.length)
        const as =
          text.startsWith('{') || text.startsWith('[') ? ('jsonl' as const) : ('csv' as const)
        const whole = as === 'jsonl' ? changed.replaceAll('\n', ' ') : changed
        const reading = { container: as, format, rules, ...context }
        const rows = await collected(readExport(inPieces(whole, 4096), reading))
        expect(rows.length, from).toBeGreaterThanOrEqual(0)
      }
    })
    await assert(property, { numRuns: runs })
  })
})
