import { boxWords, laneWords, roundKeys, stateWords } from './blowfish-state.ts'

/**
 * A WebAssembly module that does for several states at a time what bcrypt repeats: each state takes in words, and what
 * Blowfish makes of it then replaces it. One step of one state waits for the step before it, and leaves most of a core's
 * adders and loads idle. Steps of other states fill them: four states take a core 1.45 times as long as one.
 *
 * JavaScript is no way to write this: two states would take it twice as long as one.
 */
export function blowfishModule(lanes: number): Uint8Array<ArrayBuffer> {
  const all = Array.from({ length: lanes }, (_, lane) => laneAt(lane))
  const rounds = Array.from({ length: roundKeys - 2 }, (_, at) => at + 1)
  const body = code(
    list([code(unsigned(2 + 2 * lanes), i32)]),
    ...all.map(takeIn),
    beginLoop,
    noResult,
    ...all.map(beginBlock),
    // Each round handles all lanes: while one waits, the others go on.
    ...rounds.flatMap((round) => all.map((lane) => roundOf(lane, round))),
    ...all.map(endBlock),
    code(get(written), constant(8), add, tee(written)),
    code(constant(stateWords * 4), lessThan, branchIf, 0),
    end,
    end,
  )
  return Uint8Array.from([
    ...code(0, asciiOf('asm'), 1, 0, 0, 0),
    // One type, a function of a number; memory of a page, which others share; one function; its name; its code.
    ...section(1, list([code(functionType, 1, i32, 0)])),
    ...section(2, list([code(named('lanes'), named('memory'), memory, 0, 1)])),
    ...section(3, list([[0]])),
    ...section(7, list([code(named('replace'), aFunction, 0)])),
    ...section(10, list([code(unsigned(body.length), body)])),
  ])
}

type Lane = ReturnType<typeof laneAt>

/**
 * The locals: the distance from the first words to the wanted ones, how many bytes have been
 * written, and one for a swap.
 */
const [behind, written, exchanged] = [0, 1, 2]

function laneAt(lane: number) {
  const start = lane * laneWords * 4
  const boxes = start + roundKeys * 4
  const words = start + stateWords * 4
  return {
    start,
    /** The locals of the two halves of its block. */
    left: 3 + 2 * lane,
    right: 4 + 2 * lane,
    word: (at: number) => code(get(behind), load(words + at * 4)),
    roundKey: (at: number) => code(constant(0), load(start + at * 4)),
    /** A byte of a half, the highest first, looked up in its box. */
    lookUp: (half: number, at: number) =>
      code(byteTimesFour(half, at), load(boxes + at * boxWords * 4)),
  }
}

function byteTimesFour(half: number, at: number) {
  const shifted = at === 3 ? code(constant(2), shiftLeft) : code(constant(22 - at * 8), shiftRight)
  return code(get(half), shifted, constant(0xff * 4), and)
}

function takeIn({ start, roundKey, word }: Lane) {
  const keys = Array.from({ length: roundKeys }, (_, at) =>
    code(constant(0), roundKey(at), word(at), xor, store(start + at * 4)),
  )
  return code(...keys)
}

function beginBlock({ left, roundKey }: Lane) {
  return code(get(left), roundKey(0), xor, set(left))
}

/**
 * One half is combined with the round's key and the boxes' value for the other: ((a + b) ^ c) + d.
 */
function roundOf({ left, right, roundKey, lookUp }: Lane, round: number) {
  const [from, into] = round % 2 === 1 ? [left, right] : [right, left]
  const mixed = code(lookUp(from, 0), lookUp(from, 1), add, lookUp(from, 2), xor)
  return code(get(into), roundKey(round), xor, mixed, lookUp(from, 3), add, xor, set(into))
}

/**
 * The halves are swapped, the right one takes the last key, and both are written over the next two
 * words.
 */
function endBlock({ start, left, right, roundKey }: Lane) {
  return code(
    code(get(right), roundKey(roundKeys - 1), xor, set(exchanged)),
    code(get(left), set(right), get(exchanged), set(left)),
    code(get(written), get(left), store(start)),
    code(get(written), get(right), store(start + 4)),
  )
}

// From here on, the bytes are those of https://webassembly.github.io/spec/core/binary.

type Code = number[]

const code = (...parts: (number | Code)[]): Code => parts.flat()

const [i32, functionType, noResult] = [0x7f, 0x60, 0x40]
const [aFunction, memory] = [0x00, 0x02]
const [beginLoop, end, branchIf] = [0x03, 0x0b, 0x0d]
const [lessThan, add, and, xor, shiftLeft, shiftRight] = [0x49, 0x6a, 0x71, 0x73, 0x74, 0x76]

const get = (local: number) => code(0x20, unsigned(local))
const set = (local: number) => code(0x21, unsigned(local))
const tee = (local: number) => code(0x22, unsigned(local))
const constant = (value: number) => code(0x41, signed(value))
/** Words are aligned at 2² bytes. */
const load = (offset: number) => code(0x28, 2, unsigned(offset))
const store = (offset: number) => code(0x36, 2, unsigned(offset))

const section = (id: number, content: Code) => code(id, unsigned(content.length), content)
const list = (items: Code[]) => code(unsigned(items.length), ...items)
const asciiOf = (text: string) => [...Buffer.from(text)]
const named = (name: string) => code(unsigned(name.length), asciiOf(name))

/** LEB128: seven bits a byte, and a bit that says whether more follow. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : code((value & 0x7f) | 0x80, unsigned(value >>> 7))
}

/** As above, and the highest bit of the last byte is the sign. No value here is negative. */
function signed(value: number): Code {
  return value < 0x40 ? [value] : code((value & 0x7f) | 0x80, signed(value >>> 7))
}
