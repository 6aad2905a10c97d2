import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { createLogger } from '../../observation/logger.ts'
import { FanOut } from './fan-out.ts'
import type { Frame, StreamForm } from './frame.ts'
import { History } from './history.ts'
import { Replays } from './replays.ts'
import { Slices } from './slices.ts'
import { Stream } from './stream.ts'

const log = createLogger({ level: 'silent' })

const form: StreamForm = {
  name: 'numbers',
  encode: (frames) => Buffer.from(`${frames.map(({ seq }) => seq).join()},`),
  encodeAside: (name) => Buffer.from(`${name},`),
}

/** Of a router without channels. */
const plain = { showing: new Map(), presence: undefined }

/** A stream that keeps what it gets, and takes no more than so many writes. */
class TestStream extends Stream {
  readonly fanOut: FanOut
  text = ''
  writesLeft = Infinity

  constructor(fanOut: FanOut, subject: string) {
    super({ forget: (stream) => fanOut.remove(stream), reauthorize() {} })
    this.fanOut = fanOut
    this.grant = { subject }
  }

  write(bytes: Buffer) {
    if (this.writesLeft === 0) return this.end('overflow')
    this.writesLeft -= 1
    this.text += bytes.toString()
  }

  get waitingBytes() {
    return 0
  }

  ping() {}

  protected disconnect() {}

  get got() {
    return this.text.split(',').filter(Boolean).map(Number)
  }
}

/** mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const names = ['all', 'filtered', 'addressed']
const subjects = ['u1', 'u2', 'u3', 'u4', 'u5']

interface Payload {
  readonly to: readonly string[]
  readonly n: number
}

const passes = (subject: string, { n }: Payload) =>
  (n + subject.length + Number(subject[1])) % 3 > 0

function isDue(name: string, payload: Payload, subject: string) {
  if (name === 'filtered') return passes(subject, payload)
  return name === 'all' || payload.to.includes(subject)
}

/** What a stream is to get, worked out without any of the code that sends it. */
interface Expected {
  readonly stream: TestStream
  readonly subject: string
  names: readonly string[]
  due: number[]
  last: number
}

class Model {
  readonly #random: () => number
  readonly #work: Iterator<void>[] = []
  readonly #emitted: { name: string; payload: Payload }[] = []
  readonly #fanOut: FanOut
  readonly #replays: Replays
  readonly expected: Expected[] = []

  constructor(seed: number) {
    this.#random = randomFrom(seed)
    const slices = { add: (work: Iterator<void>) => this.#work.push(work) } as unknown as Slices
    const auth = {
      filter: { filtered: passes },
      recipients: { addressed: ({ to }: Payload) => to },
    }
    const options = { size: 1_000_000, ttl: 60_000 }
    const history = new History(options)
    const fanOut = new FanOut({ auth, log, slices, history, epoch: 'epoch', ...plain })
    this.#fanOut = fanOut
    this.#replays = new Replays({ fanOut, options, history, log: undefined })
  }

  #below(limit: number) {
    return Math.floor(this.#random() * limit)
  }

  #some(list: readonly string[]) {
    return list.filter(() => this.#random() < 0.5)
  }

  #open() {
    return this.expected.filter(({ stream }) => stream.isOpen)
  }

  act() {
    const at = this.#random()
    if (at < 0.35) this.#emit()
    else if (at < 0.65) this.#step()
    else if (at < 0.85) this.#join()
    else if (at < 0.9) this.#move()
    else if (at < 0.95) this.#leave()
    else this.#slow()
  }

  #emit() {
    const name = names[this.#below(3)] ?? ''
    const to = [...this.#some(subjects), ...this.#some(subjects)]
    const payload = { to, n: this.#below(100) }
    this.#emitted.push({ name, payload })
    const seq = this.#emitted.length
    for (const each of this.#open()) {
      if (each.names.includes(name) && isDue(name, payload, each.subject)) each.due.push(seq)
      each.last = seq
    }
    this.#fanOut.emit(name, payload)
  }

  /** One step of the work that waits, as a turn of the loop may leave it. */
  #step() {
    if (this.#work[0]?.next().done) this.#work.shift()
  }

  #join() {
    for (let count = this.#below(30); count > 0; count--) {
      const subject = subjects[this.#below(5)] ?? ''
      const asked = [names[this.#below(3)] ?? '', ...this.#some(names)]
      const stream = new TestStream(this.#fanOut, subject)
      const due = this.#random() < 0.5 ? this.#resume(stream, subject, asked) : []
      if (!stream.home) this.#fanOut.add(stream, asked, form)
      this.expected.push({ stream, subject, names: asked, due, last: this.#emitted.length })
    }
  }

  /** Comes again with the id of some frame, and gets what it has missed. */
  #resume(stream: TestStream, subject: string, asked: readonly string[]) {
    const after = this.#below(this.#emitted.length + 1)
    const askAgain = async (had: readonly string[]) => had
    void this.#replays.run({ stream, form, from: after, names: asked, askAgain })
    return this.#emitted.flatMap(({ name, payload }, at) =>
      at >= after && asked.includes(name) && isDue(name, payload, subject) ? [at + 1] : [],
    )
  }

  #move() {
    const open = this.#open()
    const one = open[this.#below(open.length)]
    if (!one) return
    const had = new Set(one.stream.got)
    one.names = [names[this.#below(3)] ?? '', ...this.#some(names)]
    // What was on its way, and is not its own any more, does not arrive.
    one.due = one.due.filter(
      (seq) => had.has(seq) || one.names.includes(this.#emitted[seq - 1]?.name ?? ''),
    )
    this.#fanOut.move(one.stream, one.names)
  }

  #leave() {
    const open = this.#open()
    open[this.#below(open.length)]?.stream.end('left')
  }

  #slow() {
    const open = this.#open()
    const one = open[this.#below(open.length)]
    if (one) one.stream.writesLeft = this.#below(3)
  }

  finish() {
    while (this.#work.length > 0) this.#step()
  }
}

describe('fan-out', () => {
  it.each(
    orFew(
      Array.from({ length: 100 }, (_, seed) => seed + 1),
      20,
    ),
  )(
    'gives each stream what is its own, in order and once, while streams come, move, go and are slow (seed %i)',
    (seed) => {
      const model = new Model(seed)
      for (let step = 0; step < 400; step++) model.act()
      model.finish()
      const complete = model.expected.filter(({ stream }) => stream.isOpen)
      for (const { stream, due } of model.expected) {
        // A stream that has gone has seen all that was its own up to then.
        expect(stream.got).toEqual(stream.isOpen ? due : due.slice(0, stream.got.length))
      }
      expect(complete.length).toBeGreaterThan(100)
      expect(complete.some(({ due }) => due.length > 10)).toBe(true)
    },
  )

  it('serialises an emission once, and makes its bytes once for streams that get the same', () => {
    const work: Iterator<void>[] = []
    const slices = { add: (some: Iterator<void>) => work.push(some) } as unknown as Slices
    const fanOut = new FanOut({
      auth: {},
      log,
      slices,
      history: undefined,
      epoch: 'epoch',
      ...plain,
    })
    let encoded = 0
    const counting = {
      ...form,
      name: 'counting',
      encode: (frames: readonly Frame[]) => {
        encoded += 1
        return form.encode(frames)
      },
    }
    const streams = Array.from({ length: 500 }, () => new TestStream(fanOut, 'u1'))
    for (const stream of streams) fanOut.add(stream, ['a'], counting)
    let serialised = 0
    const payload = { toJSON: () => ++serialised }
    fanOut.emit('a', payload)
    fanOut.emit('a', payload)
    for (const some of work) while (!some.next().done);
    expect([serialised, encoded]).toEqual([2, 1])
    expect(streams.every(({ text }) => text === '1,2,')).toBe(true)
  })

  it('sends nothing twice to a stream that moves between two steps, and nothing to one that ends', () => {
    const work: Iterator<void>[] = []
    const slices = { add: (some: Iterator<void>) => work.push(some) } as unknown as Slices
    const given = { auth: {}, log, slices, history: undefined, epoch: 'epoch', ...plain }
    const fanOut = new FanOut(given)
    const streams = Array.from({ length: 100 }, () => new TestStream(fanOut, 'u1'))
    for (const stream of streams) fanOut.add(stream, ['a'], form)
    fanOut.emit('a', 0)
    work[0]?.next()
    const reached = streams.find(({ text }) => text !== '')
    const [waiting, gone] = streams.filter(({ text }) => text === '')
    for (const stream of [reached, waiting]) if (stream) fanOut.move(stream, ['a', 'b'])
    gone?.end('left')
    for (const some of work) while (!some.next().done);
    expect([reached?.text, waiting?.text, gone?.text]).toEqual(['1,', '1,', ''])
    expect(streams.filter(({ text }) => text !== '1,')).toEqual([gone])
  })
})

/** The work of most turns: in some, memory is cleaned up. What the machine gave to others meanwhile is not counted. */
async function workOfTurns(isBusy: () => boolean) {
  const works: number[] = []
  while (isBusy()) {
    const before = process.threadCpuUsage()
    await new Promise(setImmediate)
    const { user, system } = process.threadCpuUsage(before)
    works.push((user + system) / 1000)
  }
  works.sort((a, b) => a - b)
  return { turns: works.length, most: works[Math.floor(works.length * 0.75)] ?? 0 }
}

describe('slices', () => {
  it('begin in a later turn than the one that adds the work', async () => {
    const slices = new Slices()
    const ran: string[] = []
    function* work(name: string): Generator<undefined, void> {
      ran.push(`${name}1`)
      yield
      ran.push(`${name}2`)
    }
    slices.add(work('a'))
    slices.add(work('b'))
    await Promise.resolve()
    await new Promise((resolve) => process.nextTick(resolve))
    expect(ran).toEqual([])
    // A turn does a few milliseconds of it, which a busy machine may spend on something else.
    await vi.waitFor(() => expect(ran).toEqual(['a1', 'a2', 'b1', 'b2']))
    slices.add(work('c'))
    expect(ran).toHaveLength(4)
    await vi.waitFor(() => expect(ran).toHaveLength(6))
  })

  it('let everything else have its turn while ten thousand streams are written to', async () => {
    const fanOut = new FanOut({
      auth: {},
      log,
      slices: new Slices(),
      history: undefined,
      epoch: 'epoch',
      ...plain,
    })
    const filler = Buffer.alloc(4000)
    let written = 0
    class WorkingStream extends TestStream {
      override write(bytes: Buffer) {
        written += 1
        // About what a write to a socket costs: 5 to 10 µs.
        createHash('sha256').update(bytes).update(filler).digest()
      }
    }
    for (let n = 0; n < 10_000; n++) fanOut.add(new WorkingStream(fanOut, 'u1'), ['a'], form)
    for (let n = 0; n < 3; n++) {
      fanOut.emit('a', n)
      const { turns, most } = await workOfTurns(() => written < 10_000 * (n + 1))
      expect(turns).toBeGreaterThan(5)
      expect(most).toBeLessThan(10)
    }
  })
})
