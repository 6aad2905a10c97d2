import { type GivenRecord, longestRecord, objectOf } from './records.ts'

/** One JSON object on each line. */
export async function* jsonlRecords(text: AsyncIterable<string>): AsyncGenerator<GivenRecord> {
  let rest = ''
  let line = 0
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    // Of a line that is too long anyway no more is kept than it takes to see that.
    rest = (lines.pop() ?? '').slice(0, longestRecord + 1)
    for (const each of lines) {
      line += 1
      yield* recordOf(line, each)
    }
  }
  yield* recordOf(line + 1, rest)
}

function* recordOf(line: number, written: string): Generator<GivenRecord> {
  const text = written.replace(/^\uFEFF/, '').trim()
  if (text === '') return
  const record = text.length > longestRecord ? null : objectOf(text)
  yield { line, record: record ?? 'unreadable' }
}
