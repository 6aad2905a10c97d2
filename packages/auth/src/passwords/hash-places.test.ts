import { describe, expect, it } from 'vitest'
import { createHashPlaces } from './hash-places.ts'

const unavailable = expect.objectContaining({ name: 'ServiceUnavailableError', status: 503 })

/** Full, of what each address holds. */
function fill(held: { from: string; begun?: number; waiting?: number }[]) {
  const counts = held.map(({ begun = 0, waiting = 0 }) => begun + waiting)
  const places = createHashPlaces(counts.reduce((sum, count) => sum + count, 0))
  const taken = held.map(({ from, begun = 0 }, index) =>
    Array.from({ length: counts[index] ?? 0 }, (_, at) => {
      const place = places.take(from)
      if (at < begun) place.begin()
      return place
    }),
  )
  return {
    take: places.take,
    /** How many each address has lost. */
    lost: () => taken.map((own) => own.filter(({ lost }) => lost.aborted).length),
  }
}

describe('a place for somebody who has none', () => {
  it('is the latest of the address that has the most', () => {
    const { take, lost } = fill([
      { from: 'a', waiting: 4 },
      { from: 'b', waiting: 2 },
    ])
    take('c')

    expect(lost()).toEqual([1, 0])
  })

  it('is of another, where the address with the most has begun all of its own', () => {
    const { take, lost } = fill([
      { from: 'a', begun: 4 },
      { from: 'b', waiting: 2 },
      { from: 'c', begun: 1, waiting: 2 },
    ])
    take('d')

    expect(lost()).toEqual([0, 0, 1])
  })

  it('is never one that has begun', () => {
    const { take, lost } = fill([
      { from: 'a', begun: 4 },
      { from: 'b', waiting: 1 },
    ])

    expect(() => take('c')).toThrow(unavailable)
    expect(lost()).toEqual([0, 0])
  })

  it('is not of an address that would then have fewer', () => {
    const { take, lost } = fill([
      { from: 'a', begun: 5 },
      { from: 'b', waiting: 3 },
      { from: 'c', waiting: 2 },
    ])

    expect(() => take('c')).toThrow(unavailable)
    expect(lost()).toEqual([0, 0, 0])
  })
})
