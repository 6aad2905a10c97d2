import { describe, expect, it } from 'vitest'
import { type Arrived, mostShown, withNewest } from './received.ts'

const notice = (id: number): Arrived => ({
  id: `${id}`,
  text: 'Hello',
  author: 'ada',
  arrivedAtMillis: id,
})

describe('what has arrived', () => {
  it('is shown newest first, and the oldest goes', () => {
    const numbers = Array.from({ length: mostShown + 1 }, (_, index) => index)
    const list = numbers.reduce<Arrived[]>((before, id) => withNewest(before, notice(id)), [])
    expect(list).toHaveLength(mostShown)
    expect(list.at(0)?.id).toBe(`${mostShown}`)
    expect(list.at(-1)?.id).toBe('1')
  })

  it('has nothing twice', () => {
    expect(withNewest([notice(1), notice(2)], notice(2)).map(({ id }) => id)).toEqual(['2', '1'])
  })
})
