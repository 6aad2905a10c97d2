import { scryptSync } from 'node:crypto'

/** RFC 7914: `blocks` is N, `blockSize` r and `lanes` p. */
export interface ScryptCost {
  blocks: number
  blockSize: number
  lanes: number
}

interface ScryptInput extends ScryptCost {
  salt: Buffer
  length: number
}

/** 256 MiB at 128 bytes each, which is twice what OWASP asks for. */
const mostBlocks = 2 ** 21
/** Four times what OWASP asks for: two seconds of a core. */
const mostWork = 2 ** 22
/** Most have eight, better-auth sixteen. */
const mostBlockSize = 64
/** OWASP has up to ten. With more, N = 2 would leave the work to PBKDF2, which `mostWork` does not count: six seconds. */
const mostLanes = 64

export function scryptProblem({ blocks, blockSize, lanes }: ScryptCost) {
  const isPower = Number.isSafeInteger(blocks) && Number.isInteger(Math.log2(blocks))
  if (!isPower || blocks < 2 || blockSize < 1 || lanes < 1) return 'hash_malformed' as const
  // RFC 7914, 2: N is less than 2^(128 * r / 8).
  if (Math.log2(blocks) >= 16 * blockSize) return 'hash_malformed' as const
  return isTooCostly({ blocks, blockSize, lanes }) ? ('hash_too_costly' as const) : null
}

function isTooCostly({ blocks, blockSize, lanes }: ScryptCost) {
  if (blockSize > mostBlockSize || lanes > mostLanes) return true
  return blocks * blockSize > mostBlocks || blocks * blockSize * lanes > mostWork
}

export function scrypt(password: string, input: ScryptInput) {
  const { blocks: N, blockSize: r, lanes: p, salt, length } = input
  // What OpenSSL counts: the blocks, those of the lanes, and some more.
  return scryptSync(password, salt, length, { N, r, p, maxmem: 128 * r * (N + p + 2) + 2 ** 20 })
}
