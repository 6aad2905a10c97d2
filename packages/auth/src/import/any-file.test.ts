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
import { formats } from './formats/formats.ts'
import { readExport } from './import.ts'
import { jsonRecords } from './json.ts'
import { testExports } from './testing/exports.ts'
import { collected, inPieces } from './testing/import.ts'
import { context } from './testing/reading.ts'

describe('any file', () => {
  it('that is a realm without its users is refused whole', async () => {
    const text = JSON.stringify({ realm: 'board', enabled: true })
    await expect(collected(jsonRecords(inPieces(text, 7)))).rejects.toThrow(
      'This realm has no users',
    )
  })

  const systems = constantFrom(...formats.keys())
  const container = constantFrom('csv' as const, 'jsonl' as const)
  const real = constantFrom(...testExports.map(({ text }) => text))
  const broken = oneof(string(), json(), real, constantFrom('"', ',', '\n', '{', '}', '\\', '\0'))
  const texts = arrayOf(broken, { maxLength: 5 })

  it('is read to its end, row by row, without an error', async () => {
    const property = asyncProperty(systems, container, texts, async (from, as, parts) => {
      const format = formats.get(from)
      if (!format) return
      const reading = { container: as, format, ...context }
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
        const reading = { container: as, format, ...context }
        const rows = await collected(readExport(inPieces(whole, 4096), reading))
        expect(rows.length, from).toBeGreaterThanOrEqual(0)
      }
    })
    await assert(property, { numRuns: runs })
  })
})
