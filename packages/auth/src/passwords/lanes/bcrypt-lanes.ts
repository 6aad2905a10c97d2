import { blowfishModule } from './blowfish-module.ts'
import { boxWords, firstState, laneWords, roundKeys, stateWords } from './blowfish-state.ts'

interface BcryptInput {
  readonly secret: Buffer
  /** Its 16 bytes. */
  readonly salt: Buffer
  /** How often both are mixed in: 2 to the power of bcrypt's rounds. */
  readonly times: number
}

interface Lane {
  /** How many of the times are left. */
  left: number
  /** How long it would have taken so far alone, of this thread's work. */
  millis: number
  done: (digest: Buffer, millis: number) => void
}

/** How many at a time. Eight would not fit into the 32 KiB of fast memory that many cores have. */
export const mostLanes = 4

/** How many times one step does: a few milliseconds. */
const stepLength = 32

/** How much longer a core takes for this many at a time than for one. It was measured. */
export function slowdownOf(lanes: number) {
  return [1, 1.1, 1.25, 1.45][lanes - 1] ?? 1
}

/**
 * bcrypt, for up to four secrets at a time. Each begins and ends independently, at least `apart`
 * times after the one before. So the work that follows their ends is spread out, and requests do
 * not wait for it.
 */
export function createBcryptLanes(apart: number) {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const words = new Uint32Array(memory.buffer)
  const wordsAt = (lane: number) => words.subarray(lane * laneWords, (lane + 1) * laneWords)
  const modules = new Map<number, (behind: number) => void>()
  const lanes: Lane[] = []
  let sinceBegin = apart

  function add(input: BcryptInput, done: Lane['done']) {
    begin(wordsAt(lanes.length), input)
    sinceBegin = 0
    lanes.push({ left: input.times, millis: 0, done })
  }

  /** Continues all of them for a moment. */
  function step() {
    const startedAt = threadMillis()
    const replace = moduleFor(lanes.length)
    const times = Math.min(stepLength, ...lanes.map(({ left }) => left))
    for (let time = 0; time < times; time += 1) {
      replace(0)
      replace(roundKeys * 4)
    }
    sinceBegin += times
    const millis = (threadMillis() - startedAt) / slowdownOf(lanes.length)
    for (const lane of lanes) {
      lane.left -= times
      lane.millis += millis
    }
    for (let at = lanes.length - 1; at >= 0; at -= 1) if (lanes[at]?.left === 0) finish(at)
  }

  /** The last lane moves into this one's place. Any rest in memory would reveal the digest. */
  function finish(at: number) {
    const digest = digestOf(wordsAt(at))
    const [own, last] = [lanes[at], lanes.pop()]
    wordsAt(at).set(wordsAt(lanes.length))
    wordsAt(lanes.length).fill(0)
    if (last && at < lanes.length) lanes[at] = last
    own?.done(digest, own.millis)
  }

  function moduleFor(count: number) {
    const known = modules.get(count)
    if (known) return known
    const module = new WebAssembly.Module(blowfishModule(count))
    const { exports } = new WebAssembly.Instance(module, { lanes: { memory } })
    // The module exports this and nothing else.
    const replace = exports['replace'] as (behind: number) => void
    modules.set(count, replace)
    return replace
  }

  return {
    add,
    step,
    get count() {
      return lanes.length
    },
    get takesMore() {
      return lanes.length < mostLanes && sinceBegin >= apart
    },
  }
}

/**
 * The first time mixes in the secret and, block by block, the salt. It runs once, so it is written
 * for readability.
 */
function begin(lane: Uint32Array, { secret, salt }: BcryptInput) {
  // bcrypt reads 72 bytes, and a NUL after a shorter secret.
  const key = wordsOf(Buffer.concat([secret, Buffer.of(0)]).subarray(0, 72))
  const saltWords = wordsOf(salt)
  lane.set(firstState().map((word, at) => word ^ (key[at] ?? 0)))
  lane.set([...key, ...saltWords], stateWords)
  let block: Block = [0, 0]
  for (let at = 0; at < stateWords; at += 2) {
    const [left, right] = block
    const half = at % 4
    block = encipher(lane, [left ^ (saltWords[half] ?? 0), right ^ (saltWords[half + 1] ?? 0)])
    lane.set(block, at)
  }
}

/** The bytes, repeated, in words of four, the highest first. */
function wordsOf(bytes: Buffer) {
  const repeated = Buffer.alloc(roundKeys * 4, bytes)
  return Array.from({ length: roundKeys }, (_, at) => repeated.readUInt32BE(at * 4))
}

type Block = [left: number, right: number]

function encipher(lane: Uint32Array, [first, second]: Block): Block {
  const wordAt = (at: number) => lane[at] ?? 0
  const box = (at: number, byte: number) => wordAt(roundKeys + at * boxWords + (byte & 0xff))
  let left = first ^ wordAt(0)
  let right = second
  for (let round = 1; round < roundKeys - 1; round += 1) {
    const highest = box(0, left >>> 24) + box(1, left >>> 16)
    const mixed = (highest ^ box(2, left >>> 8)) + box(3, left)
    const next = right ^ wordAt(round) ^ mixed
    right = left
    left = next
  }
  return [right ^ wordAt(roundKeys - 1), left]
}

/** Three blocks, enciphered 64 times. bcrypt has always left out the last byte. */
function digestOf(lane: Uint32Array) {
  const digest = Buffer.from('OrpheanBeholderScryDoubt')
  for (let at = 0; at < digest.length; at += 8) {
    let block: Block = [digest.readInt32BE(at), digest.readInt32BE(at + 4)]
    for (let times = 0; times < 64; times += 1) block = encipher(lane, block)
    digest.writeInt32BE(block[0], at)
    digest.writeInt32BE(block[1], at + 4)
  }
  return digest.subarray(0, 23)
}

/** Of this thread's own work if Node measures it: other work on the machine must not count. */
export function threadMillis() {
  const used = process.threadCpuUsage?.()
  return used ? (used.user + used.system) / 1000 : performance.now()
}
