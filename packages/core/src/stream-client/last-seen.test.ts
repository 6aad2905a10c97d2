import { describe, expect, it } from 'vitest'
import { LastSeen } from './last-seen.ts'

describe('what a client has seen', () => {
  it('is what has the epoch of the last one, and a position that is not higher', () => {
    const seen = new LastSeen('a-7')
    const ids = ['a-7', 'a-6', 'a-8', 'a-8', 'a-10', 'a-9', 'a-010', 'a-11']
    expect(ids.filter((id) => seen.take(id))).toEqual(['a-8', 'a-10', 'a-11'])
    expect(seen.id).toBe('a-11')
  })

  it('is nothing of another epoch, with which it begins again', () => {
    const seen = new LastSeen('a-7')
    expect(['b-1', 'b-1', 'a-7'].filter((id) => seen.take(id))).toEqual(['b-1', 'a-7'])
  })

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['a number', '7'],
    ['a name', 'seven'],
    ['a position that is no number', 'a-x7'],
    ['a position beyond those of numbers', `a-${'9'.repeat(16)}`],
    ['more parts than two', 'a-b-7'],
    ['no epoch', '-7'],
  ])('is never what has an id of another form: %s', (_form, id) => {
    const seen = new LastSeen('a-7')
    expect([id, id, id].map((each) => seen.take(each))).toEqual([true, true, true])
  })

  it('moves forward with a place that is told without a message, and not back', () => {
    const seen = new LastSeen()
    expect(['a-7', 'a-5', undefined, 'a-7', 'a-9'].map((id) => seen.reach(id))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ])
    expect(seen.id).toBe('a-9')
    expect(seen.take('a-8')).toBe(false)
  })
})

describe('a stream that opens', () => {
  it('goes on without a gap where it is recovered, from what was seen or from before that', () => {
    for (const id of ['a-7', 'a-5', undefined]) {
      const seen = new LastSeen('a-7')
      expect(seen.begin(id, true)).toBe(true)
      expect(seen.id).toBe('a-7')
    }
  })

  it('leaves a gap where it begins behind what was seen, or nothing was', () => {
    for (const before of ['a-6', 'b-9', '']) {
      const seen = new LastSeen(before)
      expect(seen.begin('a-7', true)).toBe(false)
      expect(seen.id).toBe('a-7')
    }
    expect(new LastSeen().begin(undefined, true)).toBe(false)
  })

  it('begins where it says when it is not recovered: positions may have been taken back', () => {
    const seen = new LastSeen('a-100')
    expect(seen.begin('a-60', false)).toBe(false)
    expect(seen.take('a-60')).toBe(false)
    expect(seen.take('a-61')).toBe(true)
    expect(seen.begin(undefined, false)).toBe(false)
    expect(seen.id).toBe('a-61')
  })
})
