// The odd primes that the published test uses (Nemec et al., CCS 2017, CVE-2017-15361).
const primes = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101,
  103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
]

const product = primes.reduce((total, prime) => total * BigInt(prime), 1n)

// The flawed library made primes of the form k·M + (65537^a mod M), with M the product of the first
// primes. So modulo each of these primes, such a modulus is a power of 65537. Of other moduli, 1 in
// 200 million is too.
const powers = primes.map((prime) => powersOf(65_537 % prime, prime))

/** Whether an RSA modulus was made by the library whose keys can be factored. */
export function isRoca(modulus: bigint) {
  const rest = modulus % product
  return primes.every((prime, at) => powers[at]?.has(Number(rest % BigInt(prime))))
}

function powersOf(generator: number, prime: number) {
  const found = new Set<number>()
  for (let power = 1; !found.has(power); power = (power * generator) % prime) found.add(power)
  return found
}

const p = 2n ** 255n - 19n
// The curve is -x² + y² = 1 + d x² y², with d = -121665/121666 (RFC 8032, section 5.1).
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

const order8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022n
// The y of all points whose order divides 8. If a key is one of them, an attacker can sign without a private key.
const smallOrder = new Set([0n, 1n, p - 1n, order8, p - order8])

/**
 * Whether 32 bytes are a point of Ed25519 that can be a key. OpenSSL checks that only on use, and
 * doesn't check the order.
 */
export function isEd25519Point(bytes: Buffer) {
  const y = BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`) & (2n ** 255n - 1n)
  return y < p && !smallOrder.has(y) && isOnCurve(y)
}

/**
 * Whether x² = (y² - 1) / (d y² + 1) has a root: by Euler's criterion, for uv instead of u/v.
 * Neither is 0, unless y is of small order.
 */
function isOnCurve(y: bigint) {
  const square = (y * y) % p
  return raised((square - 1n) * (d * square + 1n), (p - 1n) / 2n) === 1n
}

function raised(base: bigint, exponent: bigint) {
  let result = 1n
  let factor = ((base % p) + p) % p
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % p
    factor = (factor * factor) % p
  }
  return result
}
