import { type GivenRecord, longestRecord } from './records.ts'

interface Row {
  line: number
  /** Null if it has no end, or is too long. */
  cells: string[] | null
}

/**
 * Comma-separated values with a header (RFC 4180), as PostgreSQL writes them: an empty cell is no
 * value.
 */
export async function* csvRecords(text: AsyncIterable<string>): AsyncGenerator<GivenRecord> {
  let header: string[] | null = null
  for await (const { line, cells } of csvRows(text)) {
    if (cells && header === null) header = cells
    else if (!cells || cells.length !== header?.length) yield { line, record: 'unreadable' }
    else yield { line, record: recordOf(header, cells) }
  }
}

function recordOf(header: readonly string[], cells: readonly string[]) {
  return Object.fromEntries(header.map((name, at) => [name, cells[at]]))
}

type State = 'start' | 'plain' | 'quoted' | 'quote'

async function* csvRows(text: AsyncIterable<string>): AsyncGenerator<Row> {
  const reader = new RowReader()
  for await (const piece of text) {
    for (const character of piece) {
      const row = reader.take(character)
      if (row) yield row
    }
  }
  const last = reader.end()
  if (last) yield last
}

class RowReader {
  #state: State = 'start'
  #line = 1
  #began = 1
  #cells: string[] = []
  #cell = ''
  #length = 0

  take(character: string): Row | null {
    if (character === '\n') this.#line += 1
    // A byte order mark, which spreadsheets write.
    if (character === '\uFEFF' && this.#line === 1) return null
    if (this.#state === 'quoted' && character !== '"') return this.#add(character)
    if (character === '"') return this.#quote()
    if (character === ',') return this.#endCell()
    if (character === '\n') return this.#endRow()
    return character === '\r' ? null : this.#add(character, 'plain')
  }

  end(): Row | null {
    if (this.#state === 'quoted') return { line: this.#began, cells: null }
    return this.#endRow()
  }

  #add(character: string, state = this.#state) {
    this.#state = state
    this.#length += 1
    if (this.#length <= longestRecord) this.#cell += character
    return null
  }

  #quote() {
    if (this.#state === 'quote') return this.#add('"', 'quoted')
    if (this.#state === 'plain') return this.#add('"')
    this.#state = this.#state === 'quoted' ? 'quote' : 'quoted'
    return null
  }

  #endCell() {
    // Commas alone make cells too.
    if (this.#length <= longestRecord) this.#cells.push(this.#cell)
    this.#cell = ''
    this.#length += 1
    this.#state = 'start'
    return null
  }

  #endRow(): Row | null {
    const isEmpty = this.#cells.length === 0 && this.#cell === '' && this.#state === 'start'
    const isTooLong = this.#length > longestRecord
    this.#endCell()
    const row = { line: this.#began, cells: isTooLong ? null : this.#cells }
    this.#cells = []
    this.#length = 0
    this.#began = this.#line
    return isEmpty ? null : row
  }
}
