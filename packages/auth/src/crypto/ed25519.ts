const p = 2n ** 255n - 19n
// The curve is -x² + y² = 1 + d x² y², with d = -121665/121666 (RFC 8032, section 5.1).
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

const order8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022n
// The y of all points whose order divides 8. If a key is one of them, an attacker can sign without a private key.
const smallOrder = new Set([0n, 1n, p - 1n, order8, p - order8])

/** Whether 32 bytes are a point of Ed25519 that can be a key. OpenSSL asks only when it is used, and not for its order. */
export function isEd25519Point(bytes: Buffer) {
  const y = BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`) & (2n ** 255n - 1n)
  return y < p && !smallOrder.has(y) && isOnCurve(y)
}

/** Whether x² = (y² - 1) / (d y² + 1) has a root: by Euler, of u/v as of uv. Where y is of no small order, neither is 0. */
function isOnCurve(y: bigint) {
  const square = (y * y) % p
  return power((square - 1n) * (d * square + 1n), (p - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint) {
  let result = 1n
  let factor = ((base % p) + p) % p
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % p
    factor = (factor * factor) % p
  }
  return result
}
