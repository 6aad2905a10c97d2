import { describe, expect, it } from 'vitest'
import { csvRecords } from './csv.ts'
import type { GivenRecord } from './records.ts'
import { collected, inPieces } from './testing/import.ts'

describe('comma-separated values', () => {
  const read = (text: string, size = 3) => collected(csvRecords(inPieces(text, size)))
  const cells = (records: GivenRecord[]) =>
    records.map(({ line, record }) => Object.assign({ line }, record))

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
      { line: 2, record: 'unreadable' },
      { line: 3, record: { name: 'Bob', note: 'x' } },
      { line: 4, record: 'unreadable' },
    ])
  })

  it('keep no more of a record than a megabyte', async () => {
    const text = `name\n${'x'.repeat(2_000_000)}\nAda\n`
    expect(await read(text, 65_536)).toEqual([
      { line: 2, record: 'unreadable' },
      { line: 3, record: { name: 'Ada' } },
    ])
  })

  it('keep no more of a record than a megabyte where it is nothing but commas', async () => {
    const before = process.memoryUsage().heapUsed
    let most = 0
    async function* commas() {
      yield 'name\n'
      for (let piece = 0; piece < 80; piece += 1) {
        yield ','.repeat(65_536)
        most = Math.max(most, process.memoryUsage().heapUsed - before)
      }
    }
    expect(await collected(csvRecords(commas()))).toEqual([{ line: 2, record: 'unreadable' }])
    expect(most).toBeLessThan(50 * 2 ** 20)
  })

  it('have no column that changes what an object is', async () => {
    const [first] = await read('__proto__,constructor\nx,y\n')
    expect(Object.getPrototypeOf(first?.record)).toBe(Object.prototype)
  })
})
