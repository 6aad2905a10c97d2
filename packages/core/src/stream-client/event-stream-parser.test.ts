import { describe, expect, it } from 'vitest'
import { EventStreamParser, type ParsedMessage } from './event-stream-parser.ts'

const encoder = new TextEncoder()

function parse(...chunks: (string | Uint8Array)[]) {
  const parser = new EventStreamParser()
  const bytes = chunks.map((each) => (typeof each === 'string' ? encoder.encode(each) : each))
  const messages = bytes.flatMap((each) => [...parser.push(each)])
  return { parser, messages }
}

const datas = (...chunks: (string | Uint8Array)[]) =>
  parse(...chunks).messages.map(({ data }) => data)

describe('a message', () => {
  it('has a name, data and an id (E-033)', () => {
    const { messages } = parse('id: 7\nevent: added\ndata: {"a":1}\n\n')
    expect(messages).toEqual([{ id: '7', hasId: true, event: 'added', data: '{"a":1}' }])
  })

  it('is called message when it has no name, or an empty one', () => {
    const { messages } = parse('data: a\n\nevent: x\nevent:\ndata: b\n\n')
    expect(messages.map(({ event }) => event)).toEqual(['message', 'message'])
  })

  it('joins lines of data with a line feed', () => {
    // The standard's own example.
    expect(datas('data: YHOO\ndata: +2\ndata: 10\n\n')).toEqual(['YHOO\n+2\n10'])
    expect(datas('data\n\ndata\ndata\n\ndata:')).toEqual(['', '\n'])
  })

  it('is none without data, and its name does not stick to the next', () => {
    const { messages } = parse('event: lost\n\ndata: a\n\n')
    expect(messages).toEqual([{ id: '', hasId: false, event: 'message', data: 'a' }])
  })

  it('is none when the stream ends before its empty line', () => {
    expect(datas('data: a\n\ndata: b\n')).toEqual(['a'])
  })
})

describe('a line', () => {
  it('ends in LF, CR or CRLF', () => {
    expect(datas('data: a\r\n\r\ndata: b\r\rdata: c\n\n')).toEqual(['a', 'b', 'c'])
    expect(datas('data: a\ndata: b\rdata: c\r\n\r\n')).toEqual(['a\nb\nc'])
  })

  it('loses one space after the colon and no other', () => {
    expect(datas('data:test\n\ndata: test\n\ndata:  test \n\n')).toEqual(['test', 'test', ' test '])
  })

  it('is a comment when it begins with a colon, and is left out when its field is unknown', () => {
    expect(datas(': data: a\n:\ndata: b\ndate: c\nDATA: d\n data: e\n\n')).toEqual(['b'])
  })

  it('keeps further colons', () => {
    expect(datas('data: a:b: c\n\n')).toEqual(['a:b: c'])
  })
})

describe('an id', () => {
  it('stays for the messages after it, until another', () => {
    const { messages, parser } = parse('id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n')
    expect(messages.map(({ id }) => id)).toEqual(['1', '1', ''])
    expect(parser.lastEventId).toBe('')
  })

  it('is a message’s own, or that of one before', () => {
    const { messages } = parse('id: 1\ndata: a\n\ndata: b\n\nid: 1\n\ndata: c\n\nid\ndata: d\n\n')
    expect(messages.map(({ hasId }) => hasId)).toEqual([true, false, false, true])
  })

  it('counts without data, but not before the empty line', () => {
    expect(parse('id: 1\n\nid: 2\n').parser.lastEventId).toBe('1')
  })

  it('is ignored with a NUL', () => {
    expect(parse('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n').messages.at(-1)?.id).toBe('1')
  })

  it('of the connection before is not lost by a message without one', () => {
    const parser = new EventStreamParser('before')
    expect([...parser.push(encoder.encode('data: a\n\n'))]).toMatchObject([{ id: 'before' }])
    expect(parser.lastEventId).toBe('before')
  })
})

describe('retry', () => {
  it('is a number of digits and nothing else', () => {
    expect(parse('retry: 250\n').parser.retryMillis).toBe(250)
    for (const wrong of [
      'retry: 1.5',
      'retry: -1',
      'retry: 1e3',
      'retry',
      'retry:  1',
      'retry: ١',
    ]) {
      expect(parse(`${wrong}\n`).parser.retryMillis, wrong).toBeUndefined()
    }
  })
})

describe('bytes', () => {
  it('may begin with one byte order mark', () => {
    expect(datas(new Uint8Array([0xef, 0xbb, 0xbf]), 'data: a\n\n')).toEqual(['a'])
    expect(datas('\ufeff\ufeffdata: a\n\ndata: b\n\n')).toEqual(['b'])
  })

  it('that are not UTF-8 become replacement characters', () => {
    expect(datas('data: ', new Uint8Array([0xff]), '\n\n')).toEqual(['\ufffd'])
  })

  it('may be cut anywhere', () => {
    const pieces = [
      'data',
      'event',
      'id',
      'retry',
      ':',
      ': ',
      ' ',
      'ü',
      '😀',
      '\0',
      'x',
      '7',
      '\ufeff',
    ]
    const ends = ['\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n']
    const random = seeded(20_261)
    const pick = <Each>(from: readonly Each[]) => from[Math.floor(random() * from.length)] as Each
    for (let round = 0; round < 500; round++) {
      const parts = Array.from({ length: 40 }, () => pick(random() < 0.6 ? pieces : ends))
      const bytes = encoder.encode(`data: first\n${parts.join('')}\n\n`)
      const whole = parse(bytes)
      const cut = parse(...chunksOf(bytes, random))
      expect(cut.messages).toEqual(whole.messages)
      expect(cut.parser.lastEventId).toBe(whole.parser.lastEventId)
      expect(cut.parser.retryMillis).toBe(whole.parser.retryMillis)
      expect(whole.messages).toEqual(asTheStandardSays(new TextDecoder().decode(bytes)))
    }
  })

  it('without end are refused', () => {
    const chunk = new Uint8Array(1024 * 1024).fill(120)
    const endless = () => parse('data: ', ...Array<Uint8Array>(9).fill(chunk))
    expect(endless).toThrow(RangeError)
    const line = encoder.encode(`data: ${'x'.repeat(1024 * 1024)}\n`)
    expect(() => parse(...Array<Uint8Array>(9).fill(line))).toThrow(RangeError)
    expect(datas(...Array<Uint8Array>(7).fill(line), '\n')).toHaveLength(1)
  })
})

/** The algorithm in the words of the standard, over the whole text. */
function asTheStandardSays(text: string) {
  const messages: ParsedMessage[] = []
  let [data, type, id, hasId] = ['', '', '', false]
  for (const line of text.split(/\r\n|\n|\r/).slice(0, -1)) {
    if (line === '') {
      if (data !== '') {
        messages.push({ event: type || 'message', data: data.slice(0, -1), id, hasId })
      }
      hasId = false
      data = ''
      type = ''
      continue
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) as RegExpExecArray
    if (field === 'event') type = value
    if (field === 'data') data += `${value}\n`
    if (field === 'id' && !value.includes('\0')) [id, hasId] = [value, true]
  }
  return messages
}

function chunksOf(bytes: Uint8Array, random: () => number) {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = Math.floor(random() * 5)
    chunks.push(bytes.slice(at, at + size))
    at += size
  }
  return chunks
}

/** mulberry32: a failure comes again. */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
