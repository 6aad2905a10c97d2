// The odd primes that the published test uses (Nemec et al., CCS 2017, CVE-2017-15361).
const primes = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101,
  103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
]

const product = primes.reduce((total, prime) => total * BigInt(prime), 1n)

// The flawed library made primes of the form k·M + (65537^a mod M), with M the product of the first primes. So modulo
// each of these, such a modulus is a power of 65537; another one is so in 1 of 200 million cases.
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
