/** Blowfish's state: 18 round keys, followed by four boxes of 256 words. */
export const roundKeys = 18
export const boxWords = 256
export const stateWords = roundKeys + 4 * boxWords
/**
 * What bcrypt holds for each hash: the state, followed by the secret and the salt as words for the
 * round keys.
 */
export const laneWords = stateWords + 2 * roundKeys

let first: Uint32Array | null = null

/** The state that every key starts from: the digits of π after the point. */
export function firstState() {
  first ??= wordsOfPi(stateWords)
  return first
}

function wordsOfPi(count: number) {
  const guard = 64n
  const unit = 1n << (BigInt(count) * 32n + guard)
  // Machin's formula.
  const pi = 4n * (4n * arctanOfInverse(5n, unit) - arctanOfInverse(239n, unit))
  const fraction = (pi % unit) >> guard
  const hex = fraction.toString(16).padStart(count * 8, '0')
  return Uint32Array.from({ length: count }, (_, at) => parseInt(hex.slice(at * 8, at * 8 + 8), 16))
}

/** arctan(1/x) in units: 1/x − 1/3x³ + 1/5x⁵ … */
function arctanOfInverse(x: bigint, unit: bigint) {
  let power = unit / x
  let sum = power
  for (let odd = 3n, sign = -1n; power > 0n; odd += 2n, sign = -sign) {
    power /= x * x
    sum += (sign * power) / odd
  }
  return sum
}
