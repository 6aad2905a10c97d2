import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Asker, createHashLine, type HashLineOptions } from './hash-line.ts'

interface Refused {
  name: string
  status: number
  retryAfter: number
  place?: string
}

/** A line, and what has become of each caller, in the order of their turns. */
function openLine(
  options: Partial<Omit<HashLineOptions, 'turnMillis'>> & { turnMillis?: number } = {},
) {
  const line = createHashLine({
    atOnce: 1,
    waitMillis: 5000,
    ...options,
    turnMillis: () => options.turnMillis ?? 100,
  })
  const turns: string[] = []
  const ends: (() => void)[] = []
  const refused = new Map<string, Refused>()

  /** Names a caller. The test finds callers by their names. */
  function come(name: string, asker: Partial<Asker> = {}) {
    const settled = line.enter({ address: name, ...asker }).then(
      (end) => {
        turns.push(name)
        ends.push(end)
      },
      (error: Refused) => void refused.set(name, error),
    )
    return settled
  }

  /** Ends the oldest turn that is under way, so many times. */
  async function serve(count = 1) {
    await wait(0)
    for (let at = 0; at < count; at += 1) {
      ends.shift()?.()
      await wait(0)
    }
  }

  async function refusalOf(name: string) {
    await expect.poll(() => refused.get(name)).toBeDefined()
    return refused.get(name) as Refused
  }
  return { come, serve, turns, refused, refusalOf, close: line.close, line }
}

/** The line looks at this clock; those who wait here are sent away by another. */
async function later(millis: number) {
  const at = performance.now() + millis
  vi.spyOn(performance, 'now').mockImplementation(() => at)
  await wait(0)
}
afterEach(() => void vi.restoreAllMocks())

const from = (address: string, count: number) =>
  Array.from({ length: count }, (_, at) => [`${address} ${at + 1}`, { address }] as const)

/** Two may wait for one that is served: a third would wait for longer than a second, by the margin of the estimate. */
const short = { waitMillis: 1000, turnMillis: 300 }

describe('whose turn it is', () => {
  it('is that of the first to come, where each is of another address', async () => {
    const { come, serve, turns } = openLine()
    for (const name of ['a', 'b', 'c', 'd']) void come(name)
    await serve(4)

    expect(turns).toEqual(['a', 'b', 'c', 'd'])
  })

  it('passes from address to address, so that none stands before the first of another', async () => {
    const { come, serve, turns } = openLine()
    for (const [name, asker] of from('flood', 40)) void come(name, asker)
    await serve(3)
    for (const [name, asker] of [...from('b', 2), ...from('c', 1)]) void come(name, asker)
    await serve(6)

    expect(turns.slice(4)).toEqual(['flood 5', 'b 1', 'c 1', 'flood 6', 'b 2', 'flood 7'])
  })

  it('counts an IPv6 network as one address', async () => {
    const { come, serve, turns } = openLine()
    for (let host = 1; host <= 5; host += 1) void come(`2001:db8::${host}`)
    void come('192.0.2.1')
    await serve(3)

    expect(turns.slice(1, 3)).toEqual(['2001:db8::2', '192.0.2.1'])
  })

  it('skips a caller who has hung up', async () => {
    const { come, serve, turns, refusalOf } = openLine()
    void come('a')
    void come('b', { isGone: () => true })
    void come('c')
    await serve()

    expect(turns).toEqual(['a', 'c'])
    expect(await refusalOf('b')).not.toHaveProperty('place')
  })

  it('is that of as many at once as there is room for, each once', async () => {
    const { come, serve, turns, line } = openLine({ atOnce: 3 })
    for (const name of ['a', 'b', 'c', 'd', 'e']) void come(name)
    await wait(0)
    expect([turns.length, line.taken]).toEqual([3, 5])
    await serve(1)
    expect([turns.length, line.taken]).toEqual([4, 4])
  })

  it('does not come again by ending it twice', async () => {
    const { line, come, turns } = openLine({ atOnce: 1 })
    const end = await line.enter({ address: 'a' })
    for (const name of ['b', 'c']) void come(name)
    end()
    end()
    await wait(5)

    expect(turns).toEqual(['b'])
  })
})

describe('a caller who would wait too long', () => {
  it('is refused at once, and told when to come back to a place that is kept', async () => {
    const { come, refused, line } = openLine({ waitMillis: 1000 })
    for (let at = 0; at < 50; at += 1) void come(`a${at}`)
    await wait(0)

    // One is served, and eight wait: the margin of an estimate is a quarter.
    expect([refused.size, line.taken]).toEqual([41, 9])
    const last = refused.get('a49')
    expect(last).toMatchObject({
      name: 'ServiceUnavailableError',
      status: 503,
      place: expect.stringMatching(/^[\w-]{22}$/),
    })
    // The 49th turn of 100 ms, less half of what may be waited here, in whole seconds.
    expect(last?.retryAfter).toBe(4)
    expect(refused.get('a9')?.retryAfter).toBe(1)
  })

  it('finds the place on coming back, before those who came later', async () => {
    const { come, serve, turns, refusalOf } = openLine(short)
    for (const name of ['a', 'b', 'c', 'd']) void come(name)
    const { place = '' } = await refusalOf('d')
    await serve(2)
    void come('e')
    void come('d again', { place })
    await serve(2)

    expect(turns).toEqual(['a', 'b', 'c', 'd again', 'e'])
  })

  it('does not delay the callers in line while it is away', async () => {
    const { come, serve, turns, refusalOf } = openLine(short)
    for (const name of ['a', 'b', 'c', 'd']) void come(name)
    await refusalOf('d')
    await serve(2)
    void come('e')
    await serve()

    expect(turns).toEqual(['a', 'b', 'c', 'e'])
  })

  it('has the place once: another who brings it is a newcomer', async () => {
    const { come, serve, turns, refusalOf } = openLine(short)
    for (const name of ['a', 'b', 'c', 'd']) void come(name)
    const { place = '' } = await refusalOf('d')
    await serve(2)
    void come('newcomer')
    void come('first', { place })
    void come('second', { place })
    await serve(2)

    expect(turns).toEqual(['a', 'b', 'c', 'first', 'newcomer'])
    expect(await refusalOf('second')).toHaveProperty('place')
  })

  it('keeps the place where the turn is late, and waits no longer than announced', async () => {
    const { come, refusalOf, serve, turns } = openLine({ waitMillis: 60, turnMillis: 10 })
    void come('a')
    void come('b')
    const began = performance.now()
    const { place = '', retryAfter } = await refusalOf('b')
    expect(performance.now() - began).toBeGreaterThan(50)
    expect(retryAfter).toBe(1)
    void come('b again', { place })
    await serve(1)

    expect(turns).toEqual(['a', 'b again'])
  })

  it('loses a place that is not claimed within ten seconds', async () => {
    const { come, refusalOf } = openLine(short)
    for (const name of ['a', 'b', 'c', 'd']) void come(name)
    const { place = '', retryAfter } = await refusalOf('d')
    await later(retryAfter * 1000 + 11_000)
    void come('late', { place })

    expect(await refusalOf('late')).toHaveProperty('place', expect.not.stringContaining(place))
  })

  it('is told nothing of a place that would be minutes away', async () => {
    const { come, refused } = openLine({ waitMillis: 1000, turnMillis: 10_000 })
    for (let at = 0; at < 20; at += 1) void come(`a${at}`)
    await wait(0)

    expect(refused.get('a3')).toHaveProperty('place')
    expect(refused.get('a19')).not.toHaveProperty('place')
    expect(refused.get('a19')).toMatchObject({ status: 503, retryAfter: 120 })
  })
})

describe('places that are not claimed', () => {
  it('hold up newcomers less, the more of them there are', async () => {
    const { come, refused, serve } = openLine(short)
    for (let at = 0; at < 60; at += 1) void come(`gone ${at}`)
    await wait(0)
    void come('early')
    await wait(0)
    expect(refused.has('early')).toBe(true)
    // By then half of them should have come, and none has.
    await serve(2)
    await later(25_000)
    void come('late')
    await wait(0)

    expect(refused.has('late')).toBe(false)
  })
})

describe('a line that is full', () => {
  it('gives the last place of the address that has the most to one that has fewer', async () => {
    const { come, refusalOf, serve, turns } = openLine({ places: 10, waitMillis: 5000 })
    void come('busy')
    for (const [name, asker] of from('flood', 10)) void come(name, asker)
    void come('b')
    expect(await refusalOf('flood 10')).not.toHaveProperty('place')
    await serve(3)

    expect(turns).toEqual(['busy', 'flood 1', 'b', 'flood 2'])
  })

  it('refuses the address that has the most, and keeps nothing for it', async () => {
    const { come, refusalOf, line } = openLine({ places: 10 })
    void come('busy')
    for (const [name, asker] of from('flood', 11)) void come(name, asker)

    expect(await refusalOf('flood 11')).not.toHaveProperty('place')
    expect(line.taken).toBe(11)
  })
})

describe('closing', () => {
  it('refuses all who wait and all who come, and keeps nothing', async () => {
    const { come, close, refusalOf, turns } = openLine()
    for (const name of ['a', 'b', 'c']) void come(name)
    await wait(0)
    close()
    void come('d')

    for (const name of ['b', 'c', 'd']) {
      const refused = await refusalOf(name)
      expect(refused).toMatchObject({ name: 'ServiceUnavailableError', status: 503 })
      expect(refused).not.toHaveProperty('place')
    }
    expect(turns).toEqual(['a'])
  })
})
